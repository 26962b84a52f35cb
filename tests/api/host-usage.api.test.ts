import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { users } from '@/lib/accounts/collection';
import { closeDb } from '@/db/database';
import { setClock } from '@/lib/clock';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { timeNotices } from '@/lib/notices/collection';
import type { HeartbeatRequest } from '@/lib/protocol/calls';
import { StoreReader, write, WriteTransaction } from '@/lib/records/transaction';
import { api } from '../setup/api';
import { createHost, createTenant, createUser, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';
import { makeHeartbeat, type ScriptedAgent } from './scripted-agent';

const METRICS = {
  stepSeconds: 300,
  at: [0, 300],
  cpu: [1, 2],
  memory: [1, 1],
  disk: [1, 1],
  load: [0.5, 0.5],
  received: [0, 0],
  sent: [0, 0],
  gpu: [],
  gpuMemory: [],
  cpuCores: 4,
  memoryBytes: 10,
  diskBytes: 10,
};
const TOO_OLD = 'The agent is too old for streams of kind hostMetrics. Update it.';
let server: Awaited<ReturnType<typeof startLinkServer>>;
let agent: ScriptedAgent;
let host: HostRow;
let link: AgentLink;
let admin: UserActor;
let owner: UserActor;
let tenant: UserActor;
let now = Date.parse('2026-03-02T09:00:00Z');
let isOld = false;
let restore = (): void => undefined;

beforeAll(async () => {
  restore = setClock(() => now);
  server = await startLinkServer();
  ({ agent, host } = await createHost(createCaller([...agentRoutes])));
  link = await connectLink(agent, server.port, {
    answer: (stream, open) => {
      if (isOld || open.kind !== 'hostMetrics') return stream.fail(TOO_OLD);
      void stream.write(Buffer.from(`${JSON.stringify(METRICS)}\n`)).then(() => stream.end());
    },
  });
  admin = await createUser({ isAdmin: true });
  owner = await createUser();
  tenant = await createTenant(host);
  await write((tx) => tx.patch(hosts, host.id, { created_by: owner.id }));
});
beforeEach(async () => {
  await set({ disk: { percent: 90, minutes: 5 } });
  await beats(12, {});
  await write((tx) => {
    for (const { id } of tx.find(timeNotices, {})) tx.remove(timeNotices, id);
  });
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  restore();
  closeDb();
});

const set = (thresholds: object, as: UserActor = admin) =>
  api('PATCH', `/api/collections/hosts/records/${host.id}`, { as, body: { thresholds } });
const alarms = () => new StoreReader().get(hosts, host.id)!.alarms ?? {};
const told = (user: { id: string }) =>
  new StoreReader().find(timeNotices, { user: user.id }, { orderBy: 'created' }).map(({ kind }) => kind);

/** A beat each minute. */
async function beats(
  minutes: number,
  { disk = 50, ...usage }: { disk?: number; cpu?: number; memory?: number; load?: number },
) {
  const { resources } = makeHeartbeat(agent.instance);
  const beat: Partial<HeartbeatRequest> = {
    resources: { ...resources, diskBytes: 1000, diskFreeBytes: 1000 - disk * 10 },
    ...(Object.keys(usage).length > 0 && { usage: { cpu: 0, memory: 0, load: 0, ...usage } }),
  };
  for (let minute = 0; minute < minutes; minute += 1) {
    for (let second = 0; second < 60; second += 20) {
      now += 20_000;
      expect((await agent.heartbeat(beat)).status).toBe(200);
    }
  }
}

describe('the use of a host over time', () => {
  const metrics = (as: UserActor | undefined, query = '') =>
    api('GET', `/api/host/${host.id}/metrics${query}`, { ...(as && { as }) });

  it('is told by its agent to whoever sees the host, and to nobody else', async () => {
    const asked = link.opened.length;
    expect((await metrics(undefined)).status).toBe(401);
    expect((await metrics(await createUser())).status).toBe(404);
    expect(link.opened.length).toBe(asked);
    for (const span of ['recent', 'day', 'month']) {
      expect(await metrics(tenant, `?span=${span}`)).toMatchObject({ status: 200, json: METRICS });
    }
    expect((await metrics(tenant, '?span=year')).status).toBe(400);
  });

  it('is not told by an agent that is too old, and that is said', async () => {
    isOld = true;
    const { status, json } = await metrics(tenant);
    isOld = false;
    expect(status).toBe(503);
    expect(json).toMatchObject({ message: TOO_OLD });
  });
});

describe('the bounds of a host', () => {
  it('are set by whoever may modify it, within what makes sense', async () => {
    expect((await set({ disk: null }, tenant)).status).toBe(404);
    for (const bad of [
      { disk: { percent: 0, minutes: 5 } },
      { disk: { percent: 101, minutes: 5 } },
      { cpu: { percent: 5, minutes: 0 } },
    ]) {
      expect(await set(bad)).toMatchObject({ status: 400, json: { data: { thresholds: expect.anything() } } });
    }
    expect((await set({ load: { percent: 1000, minutes: 1440 } }, owner)).status).toBe(200);
    await api('PATCH', `/api/collections/hosts/records/${host.id}`, {
      as: admin,
      body: { alarms: { disk: { percent: 1, since: '' } } },
    });
    expect(alarms()).toEqual({});
  });

  it('are told of once to whoever may modify the host, and when that is over', async () => {
    await beats(20, { disk: 95 });
    expect(alarms()).toMatchObject({ disk: { percent: 90, since: expect.any(String) } });
    for (const user of [admin, owner]) expect(told(user)).toEqual(['hostAbove']);
    expect(told(tenant)).toEqual([]);
    const [notice] = new StoreReader().find(timeNotices, { user: owner.id });
    expect(notice).toMatchObject({
      host: host.id,
      workspace: '',
      name: host.name,
      details: { measure: 'disk', percent: 95, bound: 90, minutes: 5 },
    });
    const others = await api('GET', '/api/collections/time_notices/records', { as: tenant });
    expect(others.json).toMatchObject({ totalItems: 0 });
    await beats(20, { disk: 87 });
    expect(told(owner)).toEqual(['hostAbove']);
    await beats(20, { disk: 60 });
    expect([alarms(), told(owner)]).toEqual([{}, ['hostOver']]);
  });

  it('of what the agent measures hold as well, and an agent that says nothing of it is not above them', async () => {
    await set({ disk: null, cpu: { percent: 80, minutes: 2 }, load: { percent: 150, minutes: 1 } });
    await beats(10, { disk: 99 });
    expect(told(owner)).toEqual([]);
    await beats(4, { cpu: 90, load: 200 });
    expect(told(owner).length).toBe(2);
    expect(Object.keys(alarms()).sort()).toEqual(['cpu', 'load']);
    await set({ disk: null });
    await beats(1, { cpu: 90, load: 200 });
    expect(alarms()).toEqual({});
  });

  it('take no room of other notices where a host goes up and down about them', async () => {
    await set({ disk: { percent: 90, minutes: 1 }, cpu: { percent: 80, minutes: 1 } });
    const other = { user: owner.id, name: 'w', kind: 'idleStopped' as const, details: {} };
    await write((tx) => void tx.insert(timeNotices, { ...other, workspace: 'w' }));
    await write(
      (tx) =>
        void tx.insert(timeNotices, { ...other, host: 'another', kind: 'hostAbove', details: { measure: 'disk' } }),
    );
    await beats(3, { cpu: 90 });
    for (let time = 0; time < 4; time += 1) {
      await beats(3, { cpu: 90, disk: 95 });
      await beats(3, { cpu: 90, disk: 50 });
    }
    expect(told(owner)).toEqual(['idleStopped', 'hostAbove', 'hostAbove', 'hostOver']);
    expect(told(admin)).toEqual(['hostAbove', 'hostOver']);
  });

  it('are over where the bound is raised above the value, and where the agent tells of it no more', async () => {
    await set({ disk: { percent: 90, minutes: 1 }, cpu: { percent: 80, minutes: 1 } });
    await beats(3, { disk: 93, cpu: 90 });
    expect(Object.keys(alarms()).sort()).toEqual(['cpu', 'disk']);
    await set({ disk: { percent: 95, minutes: 1 }, cpu: { percent: 80, minutes: 1 } });
    await beats(3, { disk: 93 });
    expect(alarms()).toEqual({});
  });

  it('cost no statement while nothing is crossed, and tell no account that is disabled', async () => {
    await beats(1, { disk: 95 });
    const writes = vi.spyOn(WriteTransaction.prototype, 'observe');
    const reads = vi.spyOn(WriteTransaction.prototype, 'prepare');
    await beats(3, { disk: 95 });
    expect(writes).not.toHaveBeenCalled();
    expect(reads.mock.calls.filter(([sql]) => sql.includes('FROM users'))).toEqual([]);
    writes.mockRestore();
    reads.mockRestore();
    await write((tx) => tx.patch(users, owner.id, { enabled: false }));
    await beats(4, { disk: 95 });
    await write((tx) => tx.patch(users, owner.id, { enabled: true }));
    expect([told(owner), told(admin)]).toEqual([[], ['hostAbove']]);
  });
});
