import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import type { HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { api } from '../setup/api';
import {
  createHost,
  createImage,
  createTenant,
  createUser,
  createWorkspace,
  readWorkspace,
  type UserActor,
} from './factories';
import { createCaller } from './kernel-caller';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

/** People reach what a host publishes under the host's own address, not under the console's. */
const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let owner: UserActor;
let admin: UserActor;
let workspaceId: string;

const published = { containerPort: 80, protocol: 'tcp', hostPort: 8080 };
const ports = [
  { ...published, hostIp: '0.0.0.0' },
  { ...published, containerPort: 81, hostPort: 8081, hostIp: '127.0.0.1' },
];

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createTenant(host);
  admin = await createUser({ isAdmin: true });
  const image = await createImage({ build_on: host.id, created_by: owner.id, status: 'build_finished' });
  const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
  workspaceId = workspace.id;
  await api('POST', `/api/workspace/${workspaceId}/request`, { as: owner, body: { action: 'start' } });
});
afterAll(() => closeDb());

const setAddress = (as: UserActor, address: string) =>
  api('PATCH', `/api/collections/hosts/records/${host.id}`, { as, body: { address } });
const addresses = async () =>
  ((await readWorkspace(workspaceId))?.observedPorts ?? []).map(({ address }) => address ?? 'none');
async function report(): Promise<void> {
  const { json } = await agent.desired();
  const asked = (json as { objects: { id: string; spec: { generation: number; attempt: number } }[] }).objects;
  const { generation, attempt } = asked.find(({ id }) => id === workspaceId)!.spec;
  await agent.report({ objects: [makeObserved({ id: workspaceId, generation, attempt, ports } as never)] });
}

it('stands with the ports that are open on every interface, from the next report on', async () => {
  await report();
  expect(await addresses()).toEqual(['none', 'none']);
  expect((await setAddress(admin, 'hopper.lab')).status).toBe(200);
  // What runs already is reached there at once.
  expect(await addresses()).toEqual(['hopper.lab', 'none']);
  await report();
  expect(await addresses()).toEqual(['hopper.lab', 'none']);
  await setAddress(admin, '');
  expect(await addresses()).toEqual(['none', 'none']);
});

it('is a name or an address, said by who may change the host', async () => {
  for (const address of ['http://hopper', 'hopper:80', 'javascript:alert(1)', 'a b', 'user@hopper']) {
    const { status, json } = await setAddress(admin, address);
    expect([status, Object.keys(json.data as object)]).toEqual([400, ['address']]);
  }
  expect((await setAddress(owner, 'hopper.lab')).status).toBe(404);
  expect((await setAddress(admin, 'fd00::7')).status).toBe(200);
});
