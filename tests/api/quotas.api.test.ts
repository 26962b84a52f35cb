import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { closeDb } from '@/db/database';
import { users } from '@/lib/accounts/collection';
import { startAreas } from '@/lib/api/start-areas';
import { audit } from '@/lib/audit/collection';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { hostPermissions } from '@/lib/hosts/permissions';
import type { ImageRow } from '@/lib/images/collection';
import { quotas } from '@/lib/quotas/collection';
import type { quotaSchema } from '@/lib/quotas/tell-quota';
import type { AnyRow, CheckContext } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { checkWorkspace } from '@/lib/workspaces/checks';
import { type WorkspaceRow, workspaces } from '@/lib/workspaces/collection';
import { call as ask } from '../setup/call';
import { createGroup, createPerson, createVolume, createWorkspace, grantTo } from '../setup/world';
import { createHost, createImage, createTenant, readWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
const GIB = 1024 ** 3;
let agent: ScriptedAgent;
let host: HostRow;
let image: ImageRow;
let admin: UserActor;
let owner: UserActor;
let made = 0;

type Person = { id: string };
const records = (collection: string, id = '') => `/api/collections/${collection}/records${id && `/${id}`}`;
const setQuota = async (body: AnyRow, as: Person = admin) => ask('POST', records('quotas'), { as, body });
const quotaOf = async (as: Person | undefined, of = '') => ask('GET', `/api/quota${of && `?user=${of}`}`, { as });
const told = async (person: Person) => {
  const { json } = await quotaOf(person);
  const { amounts } = json as z.output<typeof quotaSchema>;
  return Object.fromEntries(amounts.map((each) => [each.amount, each]));
};
const create = (body: AnyRow = {}, as: Person = owner) => {
  const base = { name: `made-${(made += 1)}`, host: host.id, image: image.id, enabled: true };
  return ask('POST', records('workspaces'), { as, body: { ...base, ...body } });
};
const act = (id: string, action: string, as: Person = owner) =>
  ask('POST', `/api/workspace/${id}/request`, { as, body: { action } });
const change = (id: string, body: AnyRow, as: Person = owner) => ask('PATCH', records('workspaces', id), { as, body });
const problems = ({ json }: { json: AnyRow }) =>
  Object.fromEntries(
    Object.entries(json.data as Record<string, { message: string }>).map(([field, { message }]) => [field, message]),
  );
const stored = (overrides: AnyRow = {}) =>
  createWorkspace({ created_by: owner.id, host: host.id, image: image.id, ...overrides }) as Promise<WorkspaceRow>;
const running = async (overrides: AnyRow = {}): Promise<string> => {
  const { id } = await stored(overrides);
  const { status, text } = await act(id, 'start', admin);
  expect(status, text).toBe(202);
  return id;
};

beforeAll(async () => {
  startAreas();
  ({ agent, host } = await createHost(call));
  admin = (await createPerson({ isAdmin: true })) as UserActor;
  image = await createImage({ build_on: host.id });
});
afterAll(() => closeDb());
beforeEach(async () => {
  owner = await createTenant(host);
  await grantTo(owner, 'image', { on: image, flags: ['deploy'] });
  const everybody = new StoreReader().find(quotas, { user: '', group: '' });
  await write((tx) => everybody.forEach(({ id }) => void tx.remove(quotas, id)));
});

describe('a quota', () => {
  it('is for a person, a group or everybody, once each, and told in the audit log', async () => {
    const group = await createGroup([owner]);
    const of = { user: { user: owner.id }, group: { group: String(group.id) }, all: {} };
    for (const holder of Object.values(of)) {
      const { status, json } = await setQuota({ ...holder, cpus: 4, gpus: 0, running: 'unlimited' });
      expect(status).toBe(200);
      expect(json).toMatchObject({ cpus: 4, gpus: 0, running: 'unlimited', workspaces: null, set_by: admin.id });
      expect((await setQuota({ ...holder, cpus: 4 })).json.data).toMatchObject({
        user: { message: 'There is a quota for them already.' },
      });
    }
    expect(problems(await setQuota({ user: owner.id, group: group.id }))).toEqual({
      group: 'Choose a user or a group for a quota, not both.',
    });
    const row = new StoreReader().find(quotas, { user: owner.id })[0]!;
    expect((await ask('PATCH', records('quotas', row.id), { as: admin, body: { user: admin.id } })).status).toBe(400);
    expect((await ask('PATCH', records('quotas', row.id), { as: admin, body: { cpus: 5 } })).status).toBe(200);
    expect((await ask('PATCH', records('quotas', row.id), { as: admin, body: { cpus: 5 } })).status).toBe(200);
    expect((await ask('DELETE', records('quotas', row.id), { as: admin })).status).toBe(204);
    const entries = new StoreReader().find(audit, { record: row.id });
    expect(entries.map(({ action, recordName, details }) => [action, recordName, details])).toEqual([
      ['quota.create', 'Ada', { user: owner.id, userName: 'Ada' }],
      ['quota.update', 'Ada', { user: owner.id, userName: 'Ada', fields: ['cpus'] }],
      ['quota.delete', 'Ada', { user: owner.id, userName: 'Ada' }],
    ]);
  });

  it('goes with whom it is for', async () => {
    const group = await createGroup([owner]);
    await setQuota({ user: owner.id, cpus: 1 });
    await setQuota({ group: group.id, cpus: 1 });
    expect((await ask('DELETE', records('groups', String(group.id)), { as: admin })).status).toBe(204);
    expect(new StoreReader().find(quotas, { group: String(group.id) })).toEqual([]);
    expect((await ask('DELETE', records('users', owner.id), { as: admin })).status).toBe(204);
    expect(new StoreReader().find(quotas, { user: owner.id })).toEqual([]);
  });

  it.each<[unknown, boolean]>([
    [0, true],
    [4, true],
    ['4', true],
    [null, true],
    ['', true],
    ['unlimited', true],
    [-1, false],
    ['NaN', false],
    ['Infinity', false],
    ['-0.5', false],
    [1e300, false],
    [2 ** 53, false],
    [false, false],
    [true, false],
    [[], false],
    [{ a: 1 }, false],
    ['lots', false],
  ])('takes %j as an amount: %j', async (value, isTaken) => {
    for (const name of ['workspaces', 'running', 'cpus', 'memoryBytes', 'gpus', 'storageBytes']) {
      const { id } = await createPerson();
      const answer = await setQuota({ user: id, [name]: value });
      expect([name, answer.status]).toEqual([name, isTaken ? 200 : 400]);
      if (!isTaken) expect(Object.keys(answer.json.data as object)).toEqual([name]);
      expect(new StoreReader().find(quotas, { user: id })).toHaveLength(isTaken ? 1 : 0);
    }
  });
});

describe('what bounds somebody', () => {
  it('is their own quota amount by amount, else the most generous of their groups, else the default', async () => {
    const [small, large, others] = [await createGroup([owner]), await createGroup([owner]), await createGroup([])];
    await setQuota({ cpus: 1, gpus: 0, workspaces: 9 });
    await setQuota({ group: small.id, cpus: 2, memoryBytes: GIB, running: 3 });
    await setQuota({ group: large.id, cpus: 8, running: 'unlimited' });
    await setQuota({ group: others.id, cpus: 64, storageBytes: 1 });
    await setQuota({ user: owner.id, gpus: 2 });
    const large_ = { id: large.id, name: large.name };
    expect(await told(owner)).toMatchObject({
      workspaces: { bound: 9, from: 'default', group: null },
      running: { bound: null, from: 'group', group: large_ },
      cpus: { bound: 8, from: 'group', group: large_ },
      memoryBytes: { bound: GIB, from: 'group', group: { id: small.id } },
      gpus: { bound: 2, from: 'user', group: null },
      storageBytes: { bound: null, from: 'none', group: null },
    });
    const own = new StoreReader().find(quotas, { user: owner.id })[0]!;
    await ask('PATCH', records('quotas', own.id), { as: admin, body: { cpus: 'unlimited' } });
    expect(await told(owner)).toMatchObject({ cpus: { bound: null, from: 'user' }, gpus: { bound: 2, from: 'user' } });
  });

  it('binds admins only by name', async () => {
    const boss = await createPerson({ isAdmin: true });
    const group = await createGroup([boss]);
    await setQuota({ cpus: 1 });
    await setQuota({ group: group.id, running: 1 });
    expect(await told(boss)).toMatchObject({ cpus: { bound: null, from: 'none' }, running: { bound: null } });
    await setQuota({ user: boss.id, cpus: 3 });
    expect(await told(boss)).toMatchObject({ cpus: { bound: 3, from: 'user' }, running: { bound: null } });
  });

  it('is for them and for admins to read, and nothing of others', async () => {
    const [member, group] = [await createPerson(), await createGroup([owner])];
    await setQuota({ user: owner.id, cpus: 4 });
    await setQuota({ group: group.id, running: 4 });
    const own = new StoreReader().find(quotas, { user: owner.id })[0]!;
    expect((await quotaOf(undefined)).status).toBe(401);
    expect((await quotaOf(member, owner.id)).status).toBe(404);
    expect((await quotaOf(admin, owner.id)).status).toBe(200);
    expect((await quotaOf(admin, 'nobodyofthisid1')).status).toBe(404);
    for (const as of [member, owner]) {
      for (const filter of ['', `?filter=user='${owner.id}'`, `?filter=group='${String(group.id)}'`]) {
        const { status, json } = await ask('GET', records('quotas') + filter, { as });
        expect([status, json.items]).toEqual([200, []]);
      }
      const through = `?filter=${encodeURIComponent(`quotas_via_group.running > 1 || name != ''`)}`;
      const groups = await ask('GET', records('groups') + through, { as });
      expect(groups.text).not.toContain('running');
      expect((await ask('GET', records('quotas', own.id), { as })).status).toBe(404);
      expect((await ask('PATCH', records('quotas', own.id), { as, body: { cpus: 100 } })).status).toBe(404);
      expect((await ask('DELETE', records('quotas', own.id), { as })).status).toBe(404);
      expect((await setQuota({ user: as.id, cpus: 'unlimited' }, as)).status).toBe(400);
    }
    expect(new StoreReader().get(quotas, own.id)!.cpus).toBe(4);
  });
});

describe('growth', () => {
  it('in number is refused at the create, by every way, and templates are not counted', async () => {
    await setQuota({ user: owner.id, workspaces: 1 });
    const template = await create({ template: true });
    expect((await create({ copiedFrom: template.json.id })).status).toBe(200);
    const words = 'Your quota of workspaces is 1, and you have 1. Delete one first.';
    for (const body of [{}, { copiedFrom: template.json.id }])
      expect(problems(await create(body))).toEqual({ quota: words });
    expect(problems(await change(String(template.json.id), { template: false }))).toEqual({ quota: words });
    const check = { name: 'x', host: host.id, image: image.id, portMappings: [] };
    const checked = await ask('POST', '/api/workspaces/check', { as: owner, body: check });
    expect(checked.json.problems).toEqual([{ field: 'quota', code: 'validation_quota', message: words }]);
    expect((await create({ template: true })).status).toBe(200);
  });

  it('of running ones is refused at start, and a stop makes room once the host has said so', async () => {
    await setQuota({ user: owner.id, running: 1 });
    const [first, second] = [await stored(), await stored()];
    expect((await act(first.id, 'start')).status).toBe(202);
    expect(problems(await act(second.id, 'start'))).toEqual({
      quota: 'Your quota of running workspaces is 1, and 1 run. Stop one first.',
    });
    expect((await act(first.id, 'redeploy')).status).toBe(202);
    await act(first.id, 'stop');
    expect((await act(second.id, 'start')).status).toBe(400);
    const { generation } = readWorkspace(first.id)!;
    await agent.report({ objects: [makeObserved({ id: first.id, generation, attempt: 1, status: 'stopped' })] });
    expect(readWorkspace(first.id)!.status).toBe('stopped');
    expect((await act(second.id, 'start')).status).toBe(202);
    expect((await act(first.id, 'redeploy')).status).toBe(400);
  });

  it('of CPU, memory and GPUs is refused at their fields, with what is used', async () => {
    await setQuota({ user: owner.id, cpus: 4, memoryBytes: 8 * GIB, gpus: 1 });
    await running({ cpuLimit: 2, memoryLimit: 4 * GIB });
    await running({ cpuLimit: 1, memoryLimit: 2 * GIB, gpus: { count: 1 } });
    const { id } = await stored({ cpuLimit: 2, memoryLimit: 3 * GIB, gpus: { count: 1 } });
    expect(problems(await act(id, 'start'))).toEqual({
      cpuLimit: 'Your quota of CPU cores is 4; 3 in use (running workspaces: 2), and this one asks for 2.',
      memoryLimit: 'Your quota of memory is 8 GiB; 6 GiB in use (running workspaces: 2), and this one asks for 3 GiB.',
      gpus: 'Your quota of GPUs is 1; 1 in use (running workspaces: 2), and this one asks for 1.',
    });
    expect((await change(id, { cpuLimit: 1, memoryLimit: 2 * GIB, gpus: null })).status).toBe(200);
    expect((await act(id, 'start')).status).toBe(202);
    expect(await told(owner)).toMatchObject({ cpus: { used: 4 }, memoryBytes: { used: 8 * GIB }, gpus: { used: 1 } });
    expect(problems(await change(id, { cpuLimit: 1.5 }))).toEqual({
      cpuLimit: 'Your quota of CPU cores is 4; 3 in use (running workspaces: 2), and this one asks for 1.5.',
    });
  });

  it('is refused before it runs where it could never run', async () => {
    await setQuota({ user: owner.id, cpus: 4, gpus: 0 });
    const refused = await create({ cpuLimit: 8, gpus: { count: 1 } });
    expect(Object.keys(problems(refused))).toEqual(['cpuLimit', 'gpus']);
    const { json } = await create({ cpuLimit: 4 });
    expect(Object.keys(problems(await change(String(json.id), { cpuLimit: 4.5 })))).toEqual(['cpuLimit']);
    expect((await create({ gpus: 'x', cpuLimit: 'NaN' })).status).toBe(400);
  });

  it('without a limit is refused where one is counted, but for the limit of the host', async () => {
    const { id } = await stored();
    await setQuota({ user: owner.id, cpus: 4, memoryBytes: GIB });
    const words = {
      cpuLimit: 'Set a CPU limit: your quota counts it.',
      memoryLimit: 'Set a memory limit: your quota counts it.',
    };
    expect(problems(await create())).toEqual(words);
    expect(problems(await act(id, 'start'))).toEqual(words);
    expect((await change(id, { description: 'still mine' })).status).toBe(200);
    expect((await change(id, { cpuLimit: 1, memoryLimit: GIB })).status).toBe(200);
    expect(problems(await change(id, { cpuLimit: 0 }))).toEqual({ cpuLimit: words.cpuLimit });
    const isolation = { ...host.isolation, cpuLimit: 3, memoryLimit: GIB / 2 };
    await write((tx) => void tx.patch(hosts, host.id, { isolation } as never));
    const usual = await create();
    expect([usual.status, (await act(String(usual.json.id), 'start')).status]).toEqual([200, 202]);
    expect(await told(owner)).toMatchObject({ cpus: { used: 3 }, memoryBytes: { used: GIB / 2 } });
    await write((tx) => void tx.patch(hosts, host.id, { isolation: host.isolation } as never));
  });

  it('counts what the host runs until another deployment takes its place', async () => {
    await setQuota({ user: owner.id, cpus: 4 });
    const id = await running({ cpuLimit: 4 });
    expect((await change(id, { cpuLimit: 1 })).status).toBe(200);
    expect((await told(owner)).cpus!.used).toBe(4);
    const other = await stored({ cpuLimit: 2 });
    expect((await act(other.id, 'start')).status).toBe(400);
    expect((await act(id, 'redeploy')).status).toBe(202);
    expect((await act(other.id, 'start')).status).toBe(202);
  });

  it('by a runtime that shows all cards is refused where none are asked for', async () => {
    await setQuota({ user: owner.id, gpus: 1 });
    const engine = { ...host.engine, runtimes: ['runc', 'nvidia'] };
    await write((tx) => void tx.patch(hosts, host.id, { engine } as never));
    const refused = problems(await create({ runtime: 'nvidia' }));
    expect(refused.runtime).toContain('gives GPUs without counting them');
    const { id } = await stored({ runtime: 'nvidia' });
    expect(problems(await act(id, 'start'))).toEqual(refused);
    const asking = await create({ runtime: 'nvidia', gpus: { count: 1 } });
    expect([asking.status, (await act(String(asking.json.id), 'start')).status]).toEqual([200, 202]);
  });

  it('by many requests at once stops at the bound', async () => {
    await setQuota({ user: owner.id, workspaces: 3, running: 2, cpus: 3 });
    const creates = await Promise.all(Array.from({ length: 12 }, () => create({ cpuLimit: 1.5 })));
    const ids = creates.filter(({ status }) => status === 200).map(({ json }) => String(json.id));
    expect(ids).toHaveLength(3);
    const starts = await Promise.all([...ids, ...ids, ...ids].map((id) => act(id, 'start')));
    expect(new StoreReader().find(workspaces, { created_by: owner.id, desired: 'running' })).toHaveLength(2);
    expect(starts.filter(({ status }) => status === 202)).toHaveLength(2);
    expect(await told(owner)).toMatchObject({ workspaces: { used: 3 }, running: { used: 2 }, cpus: { used: 3 } });
  });

  it('binds the owner whoever acts, and tells numbers to them and to admins alone', async () => {
    const friend = await createTenant(host);
    const shared = await stored({ cpuLimit: 4 });
    await setQuota({ user: owner.id, cpus: 4 });
    await running({ cpuLimit: 1 });
    await grantTo(friend, 'workspace', { on: shared, flags: ['deploy', 'modify'] });
    await grantTo(friend, 'image', { on: image, flags: ['deploy'] });
    expect(problems(await act(shared.id, 'start', friend))).toEqual({
      cpuLimit: 'The quota of its owner does not allow this.',
    });
    expect(problems(await act(shared.id, 'start', admin))).toEqual({
      cpuLimit: 'The quota of its owner is 4 CPU cores; 1 in use (running workspaces: 1), and this one asks for 4.',
    });
    const free = await create({ cpuLimit: 64 }, friend);
    expect((await act(String(free.json.id), 'start', friend)).status).toBe(202);
  });

  it('by a running workspace that is made a template is refused, and one that runs so counts', async () => {
    await setQuota({ user: owner.id, running: 1, cpus: 2 });
    const id = await running({ cpuLimit: 2 });
    expect(problems(await change(id, { template: true }))).toEqual({ template: 'Stop the workspace first.' });
    expect((await change(id, { template: false })).status).toBe(200);
    await write((tx) => void tx.patch(workspaces, id, { template: true }));
    expect(await told(owner)).toMatchObject({ workspaces: { used: 0 }, running: { used: 1 }, cpus: { used: 2 } });
    const other = await stored({ cpuLimit: 1 });
    expect((await act(other.id, 'start')).status).toBe(400);
    await act(id, 'stop');
    expect(problems(await change(id, { template: false }))).toEqual({ template: 'Stop the workspace first.' });
    const { generation } = readWorkspace(id)!;
    await agent.report({ objects: [makeObserved({ id, generation, attempt: 1, status: 'stopped' })] });
    expect((await change(id, { template: false })).status).toBe(200);
    expect((await change(other.id, { template: true })).status).toBe(200);
  });

  it('is checked for whoever gets a workspace', async () => {
    const heir = await createPerson();
    await setQuota({ user: heir.id, workspaces: 0, cpus: 1 });
    const before = readWorkspace(await running({ cpuLimit: 2 }))!;
    const row = { ...before, created_by: heir.id };
    const context: CheckContext<WorkspaceRow> = {
      ...{ actor: admin, tx: new StoreReader(), row, before, body: {}, sent: new Set<string>(), prepared: undefined },
    };
    expect(Object.keys(checkWorkspace(context))).toEqual(['quota', 'cpuLimit']);
    expect(checkWorkspace({ ...context, row: before })).toEqual({});
  });

  it('stops nothing where a quota is lowered under what is used', async () => {
    const id = await running({ cpuLimit: 4 });
    const { json } = await setQuota({ user: owner.id, cpus: 4, running: 2 });
    await ask('PATCH', records('quotas', String(json.id)), { as: admin, body: { cpus: 1, running: 0, workspaces: 0 } });
    expect(readWorkspace(id)).toMatchObject({ desired: 'running' });
    expect(await told(owner)).toMatchObject({ cpus: { used: 4, bound: 1 }, running: { used: 1, bound: 0 } });
    expect((await act(id, 'redeploy')).status).toBe(202);
    expect((await change(id, { description: 'x' })).status).toBe(200);
    expect((await change(id, { cpuLimit: 3 })).status).toBe(200);
    expect((await change(id, { cpuLimit: 5 })).status).toBe(400);
    expect((await create({ cpuLimit: 1 })).status).toBe(400);
  });
});

describe('storage', () => {
  const volume = (body: AnyRow = {}) =>
    ask('POST', records('volumes'), { as: owner, body: { name: `made-${(made += 1)}`, host: host.id, ...body } });

  beforeEach(async () => {
    const [grant] = new StoreReader().find(hostPermissions, { user: owner.id });
    await write((tx) => void tx.patch(hostPermissions, grant!.id, { canCreateVolumeMounts: true }));
  });

  it('that is used up refuses new volumes, and starts that may write', async () => {
    await setQuota({ user: owner.id, storageBytes: 2 * GIB });
    expect((await volume()).status).toBe(200);
    const full = await createVolume({ created_by: owner.id, host: host.id, status: 'created', sizeBytes: 3 * GIB });
    expect(problems(await volume())).toEqual({
      quota: 'Your quota of storage is 2 GiB, and 3 GiB are in use. Delete something first.',
    });
    expect(await told(owner)).toMatchObject({ storageBytes: { used: 3 * GIB, bound: 2 * GIB, uncounted: 1 } });
    const path = (readOnly: boolean) => ({ [String(full.id)]: { path: '/data', readOnly } });
    const { id } = await stored({ volumes: [full.id], volumePaths: path(false) });
    expect(Object.keys(problems(await act(id, 'start')))).toEqual(['volumes']);
    expect(problems(await act(id, 'start', admin))).toEqual({
      volumes: 'The quota of its owner is 2 GiB of storage, and 3 GiB are in use.',
    });
    expect((await change(id, { volumes: [full.id], volumePaths: path(true) })).status).toBe(200);
    expect((await act(id, 'start')).status).toBe(202);
  });

  it('moves with what a deleted account leaves, and keeps nobody from deleting it', async () => {
    await createVolume({ created_by: owner.id, host: host.id, status: 'created', sizeBytes: 3 * GIB });
    const boss = await createPerson({ isAdmin: true });
    await setQuota({ user: boss.id, storageBytes: GIB });
    expect((await ask('DELETE', records('users', owner.id), { as: boss })).status).toBe(204);
    expect(new StoreReader().get(users, owner.id)).toBeUndefined();
    expect(await told(boss)).toMatchObject({ storageBytes: { used: 3 * GIB, bound: GIB } });
  });
});
