import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { openVisits, type Visit } from '@/lib/apps/open-visits';
import { findServed, servedUntilMs } from '@/lib/forward-auth/find-address';
import { write } from '@/lib/records/transaction';
import type { PortShare } from '@/lib/vocabulary/workspace';
import { workspaces } from '@/lib/workspaces/collection';
import { createHost, createWorkspace } from './factories';
import { createCaller } from './kernel-caller';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';

/** Connections of strangers to a port that is public until a date. */
const PORT = 8888;
let id: string;

beforeAll(async () => {
  const { host } = await createHost(createCaller([...agentRoutes]));
  ({ id } = await createWorkspace({ host: host.id, status: 'running' } as never));
});
afterAll(() => closeDb());

const share = (level: PortShare['level'], leftMs?: number) => {
  const until = leftMs === undefined ? '' : new Date(Date.now() + leftMs).toISOString();
  return write((tx) => tx.patch(workspaces, id, { portShares: [{ port: PORT, level, until }] } as never));
};

/** Somebody that nobody knows, at the port; `ended` resolves with the time at which the connection is closed. */
function visit(): { ended: Promise<number>; leave: () => void } {
  const app = { workspace: id, port: PORT };
  let tell: (at: number) => void;
  const ended = new Promise<number>((resolve) => (tell = resolve));
  const stranger: Visit = {
    workspace: id,
    who: '203.0.113.5',
    isAllowed: () => findServed(app)?.served?.level === 'public',
    untilMs: () => servedUntilMs(app),
    end: () => tell(Date.now()),
  };
  return { ended, leave: openVisits().enter(stranger)! };
}

it('ends when the date has come, to the moment', async () => {
  await share('public', 700);
  const endsAt = Date.now() + 700;
  const { ended, leave } = visit();
  const at = await ended;
  expect(at - endsAt).toBeGreaterThan(-100);
  expect(at - endsAt).toBeLessThan(500);
  leave();
});

it('follows the date where it is moved while it is open', async () => {
  await share('public', 60_000);
  const { ended, leave } = visit();
  await share('public', 400);
  const endsAt = Date.now() + 400;
  expect((await ended) - endsAt).toBeLessThan(500);
  leave();
  await share('public', 300);
  const other = visit();
  await share('public', 60_000);
  const first = await Promise.race([other.ended, new Promise((resolve) => setTimeout(() => resolve('open'), 800))]);
  expect(first).toBe('open');
  other.leave();
});

it('ends at once when the level is taken back', async () => {
  await share('public', 60_000);
  const { ended, leave } = visit();
  const takenAt = Date.now();
  await share('owner');
  expect((await ended) - takenAt).toBeLessThan(500);
  leave();
});

it('leaves nothing behind of one that leaves while it is looked at', async () => {
  await share('public', 60_000);
  let looks = 0;
  let leave = (): void => undefined;
  const visit: Visit = {
    workspace: id,
    who: '203.0.113.6',
    isAllowed: () => {
      leave();
      return true;
    },
    untilMs: () => {
      looks += 1;
      return Date.now() + 60_000;
    },
    end: () => undefined,
  };
  leave = openVisits().enter(visit)!;
  expect(looks).toBe(1);
  await share('public', 50_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(looks).toBe(1);
});
