import { beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes } from '@/lib/api/kernel';
import type { HostRow } from '@/lib/hosts/collection';
import { hosts } from '@/lib/hosts/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { tryOpen } from '@/lib/secrets';
import { workspaces } from '@/lib/workspaces/collection';
import { api } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createUser, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import type { ScriptedAgent } from './scripted-agent';

/** What a host can't give is refused at the field; what a workspace is made from gives its secrets to whoever may have them. */
openPrivateDatabase();

let admin: UserActor;
let bob: UserActor;
let agent: ScriptedAgent;
let host: HostRow;
let imageId: string;

const CARDS = ['GPU-a', 'GPU-b'].map((uuid) => ({ uuid, model: 'H100', memoryBytes: 8e10, usedBy: [] }));
const resources = { cpuCores: 4, memoryBytes: 8e9, diskBytes: 1e11, diskFreeBytes: 5e10, gpus: CARDS };
const RECORDS = '/api/collections/workspaces/records';
let made = 0;
const create = (body: object, as = admin) =>
  api('POST', RECORDS, { as, body: { name: `lab-${(made += 1)}`, host: host.id, image: imageId, ...body } });
const dataOf = (answer: { json?: unknown }) => (answer.json as { data: Record<string, unknown> }).data;
const idOf = (answer: { json?: unknown }) => (answer.json as { id: string }).id;
const rowOf = (id: string) => new StoreReader().get(workspaces, id)!;
const readHost = () => new StoreReader().get(hosts, host.id)!;
const request = (id: string, action: string) =>
  api('POST', `/api/workspace/${id}/request`, { as: admin, body: { action } });

beforeAll(async () => {
  [admin, bob] = [await createUser({ isAdmin: true }), await createUser()];
  ({ agent, host } = await createHost(createCaller(apiRoutes)));
  imageId = (
    await createImage({ build_on: host.id, created_by: admin.id, status: 'build_finished', imageId: 'sha256:1' })
  ).id;
  await api('POST', '/api/collections/host_permissions/records', {
    as: admin,
    body: { host: host.id, user: bob.id, view: true, canCreateWorkspaces: true },
  });
  await api('POST', '/api/collections/image_permissions/records', {
    as: admin,
    body: { image: imageId, user: bob.id, view: true, deploy: true },
  });
});

describe('cards and runtimes', () => {
  it('are not asked about before the host has said what it has', async () => {
    await write((tx) => tx.patch(hosts, host.id, { resources: null, engine: null }));
    expect((await create({ gpus: { uuids: ['GPU-x'] } })).status).toBe(200);
  });

  it.each([
    ['a card that is not there', { gpus: { uuids: ['GPU-a', 'GPU-x'] } }, 'gpus', 'There is no GPU GPU-x on'],
    ['more cards than there are', { gpus: { count: 3 } }, 'gpus', 'There are only 2 GPUs on'],
    ['a runtime that the engine lacks', { runtime: 'kata' }, 'runtime', 'There is no runtime kata on'],
  ])('are refused in words: %s', async (_, body, field, words) => {
    await agent.heartbeat({ resources });
    const isolation = { runtimes: ['kata'] };
    await api('PATCH', `/api/collections/hosts/records/${host.id}`, { as: admin, body: { isolation } });
    const answer = await create(body);
    expect([answer.status, dataOf(answer)]).toEqual([
      400,
      { [field]: { code: expect.any(String) as unknown, message: `${words} ${host.name}.` } },
    ]);
  });

  it('are refused at the start where they went meanwhile', async () => {
    await agent.heartbeat({ resources });
    const id = idOf(await create({ gpus: { uuids: ['GPU-b'] } }));
    await agent.heartbeat({ resources: { ...resources, gpus: CARDS.slice(0, 1) } });
    const answer = await request(id, 'start');
    expect([answer.status, dataOf(answer)]).toEqual([
      400,
      { gpus: { code: 'validation_unknown_gpu', message: `There is no GPU GPU-b on ${host.name}.` } },
    ]);
    const unchanged = await api('PATCH', `${RECORDS}/${id}`, { as: admin, body: { gpus: { uuids: ['GPU-b'] } } });
    expect(unchanged.status).toBe(200);
  });

  it('say which workspaces hold them', async () => {
    const id = idOf(await create({ gpus: { uuids: ['GPU-a'] } }));
    await agent.heartbeat({ resources });
    expect(readHost().resources?.gpus.map(({ usedBy }) => usedBy)).toEqual([[], []]);
    await write((tx) => tx.patch(workspaces, id, { status: 'running' }));
    await agent.heartbeat({ resources });
    expect(readHost().resources?.gpus.map(({ usedBy }) => usedBy)).toEqual([[id], []]);
    await write((tx) => tx.patch(workspaces, id, { status: 'stopped' }));
    await agent.heartbeat({ resources });
    expect(readHost().resources?.gpus.map(({ usedBy }) => usedBy)).toEqual([[], []]);
  });
});

describe('a health check', () => {
  const healthCheck = { command: 'test -e /up', intervalSeconds: 5, timeoutSeconds: 2, retries: 3, startSeconds: 0 };

  it('is kept, has defaults, and is refused where it says nothing sensible', async () => {
    expect((await create({ healthCheck })).json).toMatchObject({ healthCheck });
    expect((await create({ healthCheck: { command: 'true' } })).json).toMatchObject({
      healthCheck: { command: 'true', intervalSeconds: 0, retries: 0 },
    });
    expect((await create({})).json).toMatchObject({ healthCheck: null });
    const wrong = await create({ healthCheck: { ...healthCheck, retries: -1, nice: 1 } });
    expect(wrong.status).toBe(400);
    expect(Object.keys(dataOf(wrong))).toEqual(['healthCheck']);
  });

  it('is refused by a host whose agent would not know it', async () => {
    const versions = { agent: '0.1.0', protocol: 3, protocolMin: 1, engine: '24.0', engineApi: '1.43' };
    await agent.heartbeat({ versions });
    const id = idOf(await create({ healthCheck }));
    const answer = await request(id, 'start');
    expect([answer.status, dataOf(answer)]).toMatchObject([400, { healthCheck: { code: 'validation_agent_too_old' } }]);
    await agent.heartbeat({ versions: { ...versions, protocol: 4 } });
    expect((await request(id, 'start')).status).toBe(202);
    const { json } = await api('GET', `/api/workspace/${id}/changes`, { as: admin });
    expect(json).toMatchObject({ changed: [] });
    await api('PATCH', `${RECORDS}/${id}`, { as: admin, body: { healthCheck: null } });
    const { json: changes } = await api('GET', `/api/workspace/${id}/changes`, { as: admin });
    expect((changes as { changed: { field: string }[] }).changed.map(({ field }) => field)).toEqual(['healthCheck']);
  });
});

describe('a workspace that is made from another', () => {
  const environmentVariables = [
    { name: 'TOKEN', value: 'hunter2', secret: true },
    { name: 'PLAIN', value: 'x', secret: false },
  ];
  const emptied = [{ name: 'TOKEN', value: '', secret: true }];
  const secretOf = (id: string) => {
    const sealed = rowOf(id).environmentVariables?.[0]?.value ?? '';
    return sealed === '' ? '' : tryOpen(sealed);
  };
  const grant = (workspace: string, flags: object) =>
    api('POST', '/api/collections/workspace_permissions/records', {
      as: admin,
      body: { user: bob.id, workspace, ...flags },
    });

  it.each([
    ['a template that may be deployed', { template: true }, { view: true, deploy: true }, 'hunter2'],
    ['a workspace that may be deployed', {}, { view: true, deploy: true }, ''],
    ['a workspace that may be changed', {}, { view: true, modify: true }, 'hunter2'],
  ])('has the secrets of %s only where that is right', async (_, kind, flags, secret) => {
    const source = idOf(await create({ ...kind, environmentVariables }));
    await grant(source, flags);
    const copy = await create({ environmentVariables: emptied, copiedFrom: source }, bob);
    expect(copy.status).toBe(200);
    expect(secretOf(idOf(copy))).toBe(secret);
    expect(JSON.stringify(copy.json)).not.toContain('hunter2');
  });

  it.each([
    ['a template that may only be seen', { template: true }, { view: true, modify: true }, 'validation_not_allowed'],
    ['a template that is disabled', { template: true, enabled: false }, { deploy: true }, 'validation_disabled'],
    ['a template that is not to be seen', { template: true }, undefined, 'validation_missing_rel_records'],
    ['a workspace that is not to be seen', {}, undefined, 'validation_missing_rel_records'],
  ])('is refused from %s', async (_, kind, flags, code) => {
    const source = idOf(await create({ ...kind, environmentVariables }));
    if (flags) await grant(source, flags);
    const before = new StoreReader().find(workspaces, {}).length;
    const copy = await create({ environmentVariables: emptied, copiedFrom: source }, bob);
    expect([copy.status, dataOf(copy)]).toMatchObject([400, { copiedFrom: { code } }]);
    expect(new StoreReader().find(workspaces, {}).length).toBe(before);
  });

  it('keeps what was typed, and takes nothing of another name', async () => {
    const source = idOf(await create({ environmentVariables }));
    const typed = await create({
      environmentVariables: [{ name: 'TOKEN', value: 'mine', secret: true }],
      copiedFrom: source,
    });
    expect(secretOf(idOf(typed))).toBe('mine');
    const other = await create({
      environmentVariables: [{ name: 'PLAIN', value: '', secret: true }],
      copiedFrom: source,
    });
    expect(secretOf(idOf(other))).toBe('');
    const wrong = await create({ environmentVariables: 'x', copiedFrom: source });
    expect(wrong.status).toBe(400);
  });
});
