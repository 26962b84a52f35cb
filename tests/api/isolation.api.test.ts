import { beforeAll, describe, expect, it } from 'vitest';
import { apiRoutes } from '@/lib/api/kernel';
import type { HostRow } from '@/lib/hosts/collection';
import { hosts } from '@/lib/hosts/collection';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { IsolationSpec } from '@/lib/protocol/specs/workspace';
import { StoreReader, write } from '@/lib/records/transaction';
import { USUAL_ISOLATION } from '@/lib/vocabulary/host-isolation';
import { api } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createImage, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import type { ScriptedAgent } from './scripted-agent';

/** What a host's admin lets containers have, and what the host's owner and others can't take. */
openPrivateDatabase();

let admin: UserActor;
let owner: UserActor;
let agent: ScriptedAgent;
let host: HostRow;
let imageId: string;

const port = (hostPort: number | string) => ({ containerPort: 80, protocol: 'tcp', hostPort, hostIp: '' }) as const;
const setIsolation = (isolation: object | null, as: UserActor = admin) =>
  api('PATCH', `/api/collections/hosts/records/${host.id}`, { as, body: { isolation } });
const dataOf = (answer: { json?: unknown }) => (answer.json as { data: Record<string, unknown> }).data;
let made = 0;
const create = (body: object) => {
  const sent = { name: `lab-${(made += 1)}`, host: host.id, image: imageId, ...body };
  return api('POST', '/api/collections/workspaces/records', { as: owner, body: sent });
};
const start = (id: string) => api('POST', `/api/workspace/${id}/request`, { as: owner, body: { action: 'start' } });
const refused = (index: number, hostPort: number) => ({
  portMappings: {
    [index]: {
      hostPort: {
        code: 'validation_port_not_allowed',
        message: `Host port ${hostPort} may not be published on ${host.name}.`,
      },
    },
  },
});

beforeAll(async () => {
  [admin, owner] = [await createUser({ isAdmin: true }), await createUser()];
  ({ agent, host } = await createHost(createCaller(apiRoutes)));
  await write((tx) => tx.patch(hosts, host.id, { created_by: owner.id }));
  const runtimes = ['runc', 'nvidia', 'sysbox-runc', 'kata'];
  await agent.heartbeat({ capabilities: { build: true, buildKit: true, gpu: false, runtimes } });
  imageId = (await createImage({ build_on: host.id, created_by: owner.id })).id;
});

describe("a host's limits", () => {
  it('are there before anybody sets them, and changed by admins alone', async () => {
    const read = await api('GET', `/api/collections/hosts/records/${host.id}`, { as: owner });
    expect(read.json).toMatchObject({ isolation: USUAL_ISOLATION });
    const loose = { ...USUAL_ISOLATION, allowNewPrivileges: true };
    const answer = await setIsolation(loose, owner);
    expect([answer.status, dataOf(answer)]).toEqual([
      400,
      { isolation: expect.objectContaining({ code: 'validation_in_invalid' }) as unknown },
    ]);
    expect((await setIsolation({ ...USUAL_ISOLATION }, owner)).status).toBe(200);
    expect((await setIsolation(loose)).json).toMatchObject({ isolation: loose });
    expect((await setIsolation(null, owner)).status).toBe(400);
    expect((await setIsolation(null)).json).toMatchObject({ isolation: USUAL_ISOLATION });
  });

  it.each(['x', '', '70000', '10-5', '80,,90'])('take no %j for host ports', async (hostPorts) => {
    const answer = await setIsolation({ hostPorts });
    expect([answer.status, dataOf(answer)]).toEqual([400, { isolation: { hostPorts: expect.anything() as unknown } }]);
  });
});

describe('what a host does not allow', () => {
  it('is a host port below 1024, alone or in a range', async () => {
    expect(dataOf(await create({ portMappings: [port(8080), port(443)] }))).toEqual(refused(1, 443));
    expect(dataOf(await create({ portMappings: [{ ...port('1020-1025'), containerPort: '1-6' }] }))).toEqual(
      refused(0, 1020),
    );
    expect((await create({ portMappings: [port(1024), port('')] })).status).toBe(200);
  });

  it('is a runtime that no admin allowed', async () => {
    const data = { runtime: expect.objectContaining({ code: 'validation_runtime_not_allowed' }) as unknown };
    expect(dataOf(await create({ runtime: 'sysbox-runc' }))).toEqual(data);
    await setIsolation({ runtimes: ['sysbox-runc'] });
    expect((await create({ runtime: 'sysbox-runc' })).status).toBe(200);
    expect((await create({ runtime: 'nvidia' })).status).toBe(200);
    await setIsolation(null);
  });

  it('is looked at again when a workspace is started', async () => {
    const values = { runtime: 'kata', portMappings: [port(8080), port(80)] } as object;
    const base = { host: host.id, image: imageId, created_by: owner.id };
    const workspace = await createWorkspace({ ...base, ...values });
    const answer = await start(workspace.id);
    expect([answer.status, Object.keys(dataOf(answer))]).toEqual([400, ['runtime', 'portMappings']]);
    expect(dataOf(answer)).toMatchObject(refused(1, 80));
    await setIsolation({ runtimes: ['kata'], hostPorts: '80, 8000-8999' });
    expect((await start(workspace.id)).status).toBe(202);
    await setIsolation(null);
  });
});

it('a workspace is told its owner and the limits, and gets its open port from what is allowed', async () => {
  await setIsolation({ hostPorts: '30500', memoryLimit: 64, cpuLimit: 2, pidsLimit: 0, keepNetRaw: true });
  const workspace = await createWorkspace({
    host: host.id,
    image: imageId,
    created_by: owner.id,
    portMappings: [port('')],
  });
  expect((await start(workspace.id)).status).toBe(202);
  const { objects } = (await agent.desired()).json as DesiredAnswer;
  const isolation: IsolationSpec = { ownerId: owner.id, pidsLimit: 0, allowNewPrivileges: false, keepNetRaw: true };
  expect(objects.find(({ id }) => id === workspace.id)?.spec).toMatchObject({
    isolation,
    ports: [{ hostPort: 30_500 }],
    cpuLimit: 2,
    memoryLimitBytes: 64,
  });
  expect(new StoreReader().get(hosts, host.id)?.isolation?.hostPorts).toBe('30500');
});
