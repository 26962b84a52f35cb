import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { domainPermissions } from '@/lib/domains/permissions';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { hostPermissions } from '@/lib/hosts/permissions';
import { builds } from '@/lib/images/builds';
import { imagePermissions } from '@/lib/images/permissions';
import { requestImage } from '@/lib/images/request-image';
import { networkPermissions } from '@/lib/networks/permissions';
import { updateRecord } from '@/lib/records/writer';
import type { Collection } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { volumePermissions } from '@/lib/volumes/permissions';
import { type WorkspaceRow, workspaces } from '@/lib/workspaces/collection';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import type { AppError } from '@/lib/errors';
import { fileProxy } from '../setup/file-proxy';
import { createDomain, createNetwork, createVolume, grantTo } from '../setup/world';
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
import { makeJobEvent, makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let tenant: UserActor;
let workspace: WorkspaceRow;
let ids: { image: string; volume: string; network: string; domain: string };

const url = (subdomain: string) => ({
  scheme: 'http' as const,
  subdomain,
  domain: ids.domain,
  port: 80,
  authentication: 'none' as const,
  users: [],
});
const ask = (action: 'start' | 'redeploy' | 'stop', actor = tenant) =>
  requestWorkspace(actor, { workspaceId: workspace.id, action });
const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
/** Takes the user's flags on whatever the collection is about. */
const takeAway = (collection: Collection) =>
  write((tx) => {
    for (const { id } of tx.find(collection, { user: tenant.id } as never)) tx.remove(collection, String(id));
  });

const observe = (attempt: number, status: 'running' | 'stopped') =>
  agent.report({ objects: [makeObserved({ id: workspace.id, attempt, status })] });

async function expectRefusal(action: 'start' | 'redeploy', field: string): Promise<void> {
  const before = readWorkspace(workspace.id);
  const refused = await problem(ask(action));
  expect(Object.keys(refused?.fields ?? {})).toEqual([field]);
  expect(refused?.message).toMatch(/^You do not have permission to /);
  expect(readWorkspace(workspace.id)).toEqual(before);
}

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  await write((tx) => tx.patch(hosts, host.id, { reverse_proxy: fileProxy }));
});
afterAll(() => closeDb());

beforeEach(async () => {
  tenant = await createTenant(host);
  const image = await createImage({ build_on: host.id });
  const [volume, network, domain] = await Promise.all([
    createVolume({ host: host.id }),
    createNetwork({ host: host.id }),
    createDomain({}),
  ]);
  await grantTo(tenant, 'image', { on: image, flags: ['deploy', 'build'] });
  await grantTo(tenant, 'volume', { on: volume, flags: ['attach'] });
  await grantTo(tenant, 'network', { on: network, flags: ['attach'] });
  await grantTo(tenant, 'domain', { on: domain, flags: ['deploy'] });
  ids = { image: image.id, volume: String(volume.id), network: String(network.id), domain: String(domain.id) };
  workspace = await createWorkspace({
    host: host.id,
    image: image.id,
    created_by: tenant.id,
    volumes: [ids.volume],
    volumePaths: { [ids.volume]: { path: '/data', readOnly: false } },
    networks: [ids.network],
    externalUrls: [url('mine')],
  });
});

describe('a right that was taken away', () => {
  it.each([
    ['host', hostPermissions as Collection],
    ['image', imagePermissions as Collection],
    ['volumes', volumePermissions as Collection],
    ['networks', networkPermissions as Collection],
    ['externalUrls', domainPermissions as Collection],
  ])('on %s starts and redeploys nothing', async (field, permissions) => {
    await ask('start');
    await observe(0, 'running');
    await takeAway(permissions);
    await expectRefusal('redeploy', field);
    await ask('stop');
    await observe(1, 'stopped');
    await expectRefusal('start', field);
  });

  it('stops what runs all the same', async () => {
    await ask('start');
    await takeAway(hostPermissions as Collection);
    await expect(ask('stop')).resolves.toMatchObject({ id: workspace.id });
  });

  it('is asked of whoever deploys, not of who made the workspace', async () => {
    const colleague = await createUser();
    await grantTo(colleague, 'workspace' as never, { on: workspace as never, flags: ['deploy'] });
    const fields = (await problem(ask('start', colleague)))?.fields ?? {};
    expect(Object.keys(fields)).toEqual(['host', 'image', 'volumes', 'networks', 'externalUrls']);
  });

  it('builds nothing on a host', async () => {
    const build = () => requestImage(tenant, { imageId: ids.image, action: 'build' });
    await takeAway(hostPermissions as Collection);
    expect((await problem(build()))?.fields).toMatchObject({ build_on: { code: 'validation_not_allowed' } });
    expect(new StoreReader().find(builds, { image: ids.image })).toEqual([]);
  });

  it('takes no new name under a domain, and keeps the one that is there', async () => {
    await takeAway(domainPermissions as Collection);
    const save = (...names: string[]) =>
      updateRecord(workspaces, tenant, { id: workspace.id, body: { externalUrls: names.map(url) } });
    const refused = await problem(save('mine', 'more'));
    expect(refused?.fields).toMatchObject({
      externalUrls: { 1: { domain: { code: 'validation_missing_rel_records' } } },
    });
    expect((await problem(save('other')))?.fields).toHaveProperty('externalUrls');
    expect(readWorkspace(workspace.id)!.externalUrls).toMatchObject([{ subdomain: 'mine' }]);
    await save('mine');
  });

  it('while its image is built, deploys nothing once it is', async () => {
    const image = await createImage({
      build_on: host.id,
      status: '',
      imageId: '',
      buildNumber: 0,
      created_by: tenant.id,
    });
    const waiting = await createWorkspace({ host: host.id, image: image.id, created_by: tenant.id });
    await requestWorkspace(tenant, { workspaceId: waiting.id, action: 'start' });
    await takeAway(hostPermissions as Collection);
    const build = new StoreReader().find(builds, { image: image.id })[0]!;
    await agent.report({ jobs: [makeJobEvent({ id: build.id, status: 'done', imageId: 'sha256:late' })] });
    expect(readWorkspace(waiting.id)).toMatchObject({
      status: 'error',
      statusMessage: 'You do not have permission to create workspaces on this host.',
    });
  });
});
