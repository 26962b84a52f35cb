import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { getDesired } from '@/lib/hosts/link/desired';
import { hostPermissions } from '@/lib/hosts/permissions';
import { startAreas } from '@/lib/api/start-areas';
import { askHostsForResources } from '@/lib/api/host-resources';
import { networkKind } from '@/lib/networks/at-host';
import { networks } from '@/lib/networks/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { volumeKind } from '@/lib/volumes/at-host';
import { volumes } from '@/lib/volumes/collection';
import { newId } from '@/lib/ids';
import { workspaces } from '@/lib/workspaces/collection';
import { workspaceKind } from '@/lib/workspaces/at-host';
import { call as ask } from '../setup/call';
import { createHost as createOtherHost, createVolume, grantTo } from '../setup/world';
import { createHost, createImage, createTenant, readWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let tenant: UserActor;
let imageId: string;
let count = 0;

const create = (collection: string, body: object, as: { id: string } = tenant) =>
  ask('POST', `/api/collections/${collection}/records`, { as, body });
const change = (id: string, body: object) =>
  ask('PATCH', `/api/collections/workspaces/records/${id}`, { as: tenant, body });
const act = (id: string, action: string) =>
  ask('POST', `/api/workspace/${id}/request`, { as: tenant, body: { action } });
const drop = (collection: string, id: string) =>
  ask('DELETE', `/api/collections/${collection}/records/${id}`, { as: tenant });
const made = async (collection: string, body: object): Promise<string> => {
  const answer = await create(collection, { host: host.id, name: `made-${(count += 1)}`, ...body });
  expect(answer.status, answer.text).toBe(200);
  return String(answer.json.id);
};
const read = (collection: typeof volumes | typeof networks, id: string) =>
  new StoreReader().get(collection as typeof volumes, id);
const say = (
  kind: 'volume' | 'network',
  id: string,
  status: 'pending' | 'created' | 'error' | 'absent',
  message = '',
) => agent.report({ objects: [{ kind, id, status, message, retries: 0 }] });
const setHost = (values: object) => write((tx) => void tx.patch(hosts, host.id, values as never));
const workspace = (body: object = {}) => made('workspaces', { image: imageId, ...body });
const at = (id: string, path: string, readOnly = false) => ({
  volumes: [id],
  volumePaths: { [id]: { path, readOnly } },
});
const specOf = (id: string) => getDesired(workspaceKind, host.id, id)!.spec!;

beforeAll(async () => {
  startAreas();
  ({ agent, host } = await createHost(call));
});
afterAll(() => closeDb());
beforeEach(async () => {
  await agent.heartbeat({ bindRoots: ['/srv/berth'] });
  tenant = await createTenant(host);
  const [grant] = new StoreReader().find({ name: 'host_permissions', table: hostPermissions.table }, {
    user: tenant.id,
  } as never);
  const flags = { canCreateVolumeMounts: true, canCreateBindMounts: true, canCreateNetworks: true };
  await write((tx) => void tx.patch(hostPermissions, grant!.id, flags));
  const image = await createImage({ build_on: host.id });
  await grantTo(tenant, 'image', { on: image, flags: ['deploy'] });
  imageId = image.id;
});

describe('a volume or a network', () => {
  it('is asked of its host, and shows what the host says', async () => {
    const volume = await made('volumes', {});
    const network = await made('networks', {});
    expect(getDesired(volumeKind, host.id, volume)?.spec).toEqual({
      pathOnHost: '',
      ownerId: tenant.id,
      state: 'present',
    });
    expect(getDesired(networkKind, host.id, network)?.spec).toEqual({ driver: 'bridge' });
    await say('volume', volume, 'created');
    await say('network', network, 'error', 'no room for another network');
    expect(read(volumes, volume)).toMatchObject({ status: 'created', statusMessage: '' });
    expect(read(networks, network)).toMatchObject({ status: 'error', statusMessage: 'no room for another network' });
  });

  it('of another host is none of a host’s business', async () => {
    const volume = await made('volumes', {});
    const other = await createHost(call);
    await other.agent.report({
      objects: [{ kind: 'volume', id: volume, status: 'error', message: 'forged', retries: 0 }],
    });
    expect(read(volumes, volume)).toMatchObject({ status: 'pending' });
  });

  it('that an older console kept to itself is asked for when this one starts', async () => {
    const { id } = await createVolume({ host: host.id, created_by: tenant.id });
    await askHostsForResources();
    await askHostsForResources();
    expect(getDesired(volumeKind, host.id, String(id))?.spec?.state).toBe('present');
  });

  it('says so where its host’s agent is too old', async () => {
    const volume = await made('volumes', {});
    const { revision } = getDesired(volumeKind, host.id, volume)!;
    const object = { kind: 'volume', id: volume, revision, reason: 'objects of this kind are not known' };
    await agent.report({ unsupported: [object] });
    expect(read(volumes, volume)).toMatchObject({
      status: 'error',
      statusMessage: expect.stringMatching(/too old.*update it/),
    });
  });

  it('goes with its record: a network from the host, the data of a volume only when that was said', async () => {
    const network = await made('networks', {});
    const kept = await made('volumes', { name: 'kept' });
    const lost = await made('volumes', { name: 'lost' });
    expect((await drop('networks', network)).status).toBe(204);
    expect((await drop('volumes', kept)).status).toBe(204);
    const remove = (name: string) =>
      ask('POST', `/api/volume/${lost}/remove`, { as: tenant, body: { removeData: true, name } });
    expect((await remove('Lost')).json.data).toMatchObject({ name: { code: 'validation_mismatch' } });
    expect((await remove('lost')).status).toBe(204);
    expect(getDesired(networkKind, host.id, network)).toMatchObject({ spec: null });
    expect(getDesired(volumeKind, host.id, kept)).toMatchObject({ spec: null });
    expect(getDesired(volumeKind, host.id, lost)).toMatchObject({ spec: { state: 'removed' } });
    expect(read(volumes, lost)).toBeUndefined();
    await say('network', network, 'absent');
    await say('volume', lost, 'absent');
    expect(getDesired(networkKind, host.id, network)).toBeUndefined();
    expect(getDesired(volumeKind, host.id, lost)).toBeUndefined();
  });

  it('stays while a workspace has it, also one that only runs with it', async () => {
    const volume = await made('volumes', {});
    const network = await made('networks', {});
    const id = await workspace({ name: 'holder', ...at(volume, '/data'), networks: [network] });
    await act(id, 'start');
    await agent.report({ objects: [makeObserved({ id, status: 'running' })] });
    await change(id, { volumes: [], networks: [] });
    for (const [collection, used] of [
      ['volumes', volume],
      ['networks', network],
    ] as const) {
      const refused = await drop(collection, used);
      expect(refused.status).toBe(400);
      expect(refused.json.message).toMatch(/Used by the workspace holder\.$/);
    }
    const refused = await ask('POST', `/api/volume/${volume}/remove`, { as: tenant, body: { removeData: false } });
    expect(refused.json.message).toMatch(/Used by the workspace holder\.$/);
    expect(getDesired(volumeKind, host.id, volume)?.spec?.state).toBe('present');
  });

  it('stays while workspaces have it that the caller may not see, which are counted and not named', async () => {
    const volume = await made('volumes', {});
    const id = await workspace({ name: 'seen', ...at(volume, '/data') });
    const row = readWorkspace(id)!;
    const hide = (name: string) =>
      write((tx) => tx.insert(workspaces, { ...row, id: newId(), name, created_by: 'somebody-else0' }));
    const refusals = async () => [
      (await drop('volumes', volume)).json.message,
      (await ask('POST', `/api/volume/${volume}/remove`, { as: tenant, body: { removeData: false } })).json.message,
    ];
    await hide('secret-one');
    for (const words of await refusals())
      expect(words).toMatch(/Used by the workspace seen and 1 other that you can't see\.$/);
    await hide('secret-two');
    await change(id, { volumes: [] });
    for (const words of await refusals()) expect(words).toMatch(/Used by 2 workspaces that you can't see\.$/);
  });
});

describe('a folder of the host as a volume', () => {
  const folder = (path: string) =>
    create('volumes', { host: host.id, name: `folder-${(count += 1)}`, path_on_host: path });
  const refusal = async (path: string) =>
    (await folder(path)).json.data as { path_on_host?: { code: string; message: string } };

  it('lies in its owner’s folder under a root of the host', async () => {
    const own = `/srv/berth/${tenant.id}`;
    expect((await refusal('/etc')).path_on_host).toMatchObject({
      code: 'validation_outside_roots',
      message: expect.stringContaining(own),
    });
    for (const path of ['/srv/berth/other/x', '/srv/berthing', '/srv/berth']) {
      expect((await refusal(path)).path_on_host?.code, path).toBe('validation_outside_roots');
    }
    for (const path of [`${own}/../x`, '/srv/../etc', `${own}/\u0000`, 'srv', `${own}//x`]) {
      expect((await refusal(path)).path_on_host?.code, path).toBe('validation_invalid_path');
    }
    expect((await refusal(`${own}/${'x'.repeat(5000)}`)).path_on_host).toBeDefined();
    expect((await folder(`${own}/data/`)).status).toBe(200);
    expect((await refusal(`${own}/data/inner`)).path_on_host?.code).toBe('validation_nested_folder');
    expect((await refusal(own)).path_on_host?.code).toBe('validation_nested_folder');
  });

  it('may lie beside it when an admin lets it, and nowhere on a host without roots', async () => {
    const { isolation } = host;
    await setHost({ isolation: { ...isolation, sharedBindFolders: true } });
    expect((await folder('/srv/berth/anything')).status).toBe(200);
    await setHost({ isolation });
    await agent.heartbeat({ bindRoots: [] });
    expect((await refusal(`/srv/berth/${tenant.id}/y`)).path_on_host?.message).toMatch(/no BERTH_BIND_ROOTS/);
  });
});

describe('a workspace', () => {
  it('is deployed with its volumes and networks, and shows what a redeploy would change of them', async () => {
    const [volume, network] = [await made('volumes', {}), await made('networks', {})];
    const id = await workspace({ name: 'My Lab!', ...at(volume, '/data/', true), networks: [network] });
    await act(id, 'start');
    expect(specOf(id)).toMatchObject({
      mounts: [{ volumeId: volume, path: '/data', readOnly: true }],
      networks: [network],
      aliases: ['my-lab', id],
    });
    // What an agent of protocol 3 can't read, it does not run without.
    expect(specOf(id).pullTimeoutMs).toBeUndefined();
    await agent.report({ objects: [makeObserved({ id, status: 'running' })] });
    await change(id, { ...at(volume, '/data', false), networks: [] });
    const { changed } = (await ask('GET', `/api/workspace/${id}/changes`, { as: tenant })).json as {
      changed: { field: string }[];
    };
    expect(changed.map(({ field }) => field)).toEqual(['volumes', 'networks']);
  });

  it('is refused for what it can’t have, at the field', async () => {
    const [volume, network] = [await made('volumes', {}), await made('networks', {})];
    const theirs = await createVolume({ host: host.id });
    const far = await createOtherHost({});
    const farVolume = await createVolume({ host: far.id, created_by: tenant.id });
    const refused = async (body: object) =>
      (await create('workspaces', { host: host.id, image: imageId, name: `no-${(count += 1)}`, ...body })).json
        .data as Record<string, { code: string; message: string }>;
    expect((await refused({ networks: [network, network] })).networks).toEqual({
      code: 'validation_duplicate',
      message: 'Network already added.',
    });
    expect((await refused(at(String(theirs.id), '/x'))).volumes?.code).toBe('validation_missing_rel_records');
    expect((await refused(at(String(farVolume.id), '/x'))).volumes?.code).toBe('validation_wrong_host');
    const second = await made('volumes', {});
    const both = (one: string, other: string) => ({
      volumes: [volume, second],
      volumePaths: { [volume]: { path: one }, [second]: { path: other } },
    });
    expect((await refused(both('/data', '/data/'))).volumePaths).toMatchObject({
      [second]: { path: { message: 'Duplicate path on workspace.' } },
    });
    for (const path of ['/a/../b', '/a//b', 'data', '/', '/a\u0000']) {
      expect((await refused(both('/data', path))).volumePaths, path).toBeDefined();
    }
    const many = Array.from({ length: 500 }, (_, index) => `volume${String(index).padStart(9, '0')}`);
    expect((await refused({ volumes: many })).volumes?.message).toMatch(/no more than 50/);
    await workspace({ name: 'Data Base', networks: [network] });
    expect((await refused({ name: 'data-base', networks: [network] })).networks?.code).toBe('validation_alias_taken');
  });

  it('is not run where its host can’t give what it asks for', async () => {
    const [volume, network] = [await made('volumes', {}), await made('networks', {})];
    const id = await workspace({ ...at(volume, '/data'), networks: [network] });
    await say('volume', volume, 'error', 'no space left on device');
    const broken = await act(id, 'start');
    expect(broken.json).toMatchObject({
      message: expect.stringMatching(/can't be used: no space left on device/),
      data: { volumes: { code: 'validation_in_error' } },
    });
    await say('volume', volume, 'created');
    await setHost({ engine: { ...new StoreReader().get(hosts, host.id)!.engine!, protocol: 3 } });
    expect(Object.keys((await act(id, 'start')).json.data as object)).toEqual(['volumes', 'networks']);
    expect(readWorkspace(id)).toMatchObject({ status: 'stopped', generation: 0 });
    await agent.heartbeat();
    expect((await act(id, 'start')).status).toBe(202);
  });
});
