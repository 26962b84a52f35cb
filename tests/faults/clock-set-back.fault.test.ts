import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { consoleStartedAtMs } from '@/lib/hosts/link/console-start';
import { sweepSilentHosts } from '@/lib/hosts/link/offline-sweep';
import { hosts } from '@/lib/hosts/collection';
import { setClock } from '@/lib/clock';
import { StoreReader } from '@/lib/records/transaction';
import { createHost } from '../api/factories';
import { createCaller } from '../api/kernel-caller';

const HOUR_MS = 3_600_000;
const call = createCaller(agentRoutes);
let restore: () => void = () => undefined;

/** The clock goes on from where it is put. */
function setBack(ms: number): void {
  restore = setClock(() => Date.now() - ms);
}

beforeAll(() => void consoleStartedAtMs());
afterEach(() => restore());
afterAll(() => closeDb());

it('takes agents, and notices silent ones, when the clock of the console was set back to before its start', async () => {
  const { agent } = await createHost(call);
  const { agent: silent } = await createHost(call);
  const statusOf = (hostId: string) => new StoreReader().get(hosts, hostId)?.status;
  setBack(HOUR_MS);
  expect((await agent.heartbeat()).status).toBe(200);
  await sweepSilentHosts();
  expect([statusOf(agent.hostId), statusOf(silent.hostId)]).toEqual(['online', 'online']);
  setBack(HOUR_MS - 60_000);
  expect((await agent.heartbeat()).status).toBe(200);
  await sweepSilentHosts();
  expect([statusOf(agent.hostId), statusOf(silent.hostId)]).toEqual(['online', 'offline']);
});
