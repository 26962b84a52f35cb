import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { builds } from '@/lib/images/builds';
import { type ImageRow, images } from '@/lib/images/collection';
import { sweepNewer } from '@/lib/images/newer/sweep-newer';
import { imagePermissions } from '@/lib/images/permissions';
import { write } from '@/lib/records/transaction';
import { seal } from '@/lib/secrets';
import { api } from '../setup/api';
import { createHost, createImage, createTenant, createUser, readImage, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

const call = createCaller([...agentRoutes]);
const REFERENCE = 'registry.example.org/team/base:1';
let server: Awaited<ReturnType<typeof startLinkServer>>;
let host: HostRow;
let link: AgentLink;
let tenant: UserActor;
let image: ImageRow;
let remote: object;

beforeAll(async () => {
  server = await startLinkServer();
  const made = await createHost(call);
  host = made.host;
  link = await connectLink(made.agent, server.port, {
    answer: (stream) => void stream.write(Buffer.from(`${JSON.stringify(remote)}\n`)).then(() => stream.end()),
  });
  tenant = await createTenant(host);
  const account = {
    serveraddress: 'registry.example.org',
    username: 'puller',
    password: seal('hunter2'),
    pullRepositories: ['team'],
    pullUsers: [],
    pushRepositories: [],
    pushUsers: [],
  };
  await write((tx) => tx.patch(hosts, host.id, { registry_auths: [account] }));
});
beforeEach(async () => {
  remote = { digest: 'sha256:new' };
  link.opened.length = 0;
  image = await pulled();
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  closeDb();
});

async function pulled(overrides: Partial<ImageRow> = {}): Promise<ImageRow> {
  await write((tx) => tx.find(images, {}).forEach(({ id }) => tx.remove(images, id)));
  const made = await createImage({
    creationType: 'pullAnImage',
    dockerImageName: REFERENCE,
    repository: 'registry.example.org/team/base',
    tag: '1',
    build_on: host.id,
    created_by: tenant.id,
    ...overrides,
  });
  const build = { image: made.id, host: host.id, number: 1, kind: 'pull', created_by: tenant.id };
  await write((tx) => tx.insert(builds, { ...build, status: 'build_finished', digest: 'sha256:old' }));
  return made;
}

const check = (as: { id: string }) => api('POST', `/api/image/${image.id}/check-newer`, { as });

it('is asked of the registry by the host, with the account that the person may pull with', async () => {
  expect((await check(tenant)).json).toEqual({ isNewer: true, digest: 'sha256:new' });
  const account = { serveraddress: 'registry.example.org', username: 'puller', password: 'hunter2' };
  expect(link.opened.map(({ open }) => open)).toEqual([{ kind: 'remoteDigest', reference: REFERENCE, account }]);
  expect(readImage(image.id)).toMatchObject({ newerDigest: 'sha256:new' });
  remote = { digest: 'sha256:old' };
  expect((await check(tenant)).json).toEqual({ isNewer: false, digest: 'sha256:old' });
  expect(readImage(image.id)).toMatchObject({ newerDigest: '' });
});

it('is asked by nobody who may only look, nor for what has no newer one', async () => {
  const viewer = await createUser();
  expect((await check(viewer)).status).toBe(404);
  await write((tx) => tx.insert(imagePermissions, { user: viewer.id, image: image.id, view: true }));
  expect((await check(viewer)).status).toBe(403);
  image = await pulled({ creationType: 'writeDockerfile' });
  expect(await check(tenant)).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining('no newer one') as string },
  });
  image = await pulled({ dockerImageName: `registry.example.org/team/base@sha256:${'a'.repeat(64)}` });
  expect((await check(tenant)).status).toBe(400);
  expect(link.opened).toEqual([]);
});

it('is told in the words of the registry where it can not be known', async () => {
  remote = { refused: { code: 'failed', message: 'manifest unknown' } };
  expect(await check(tenant)).toMatchObject({ status: 503, json: { message: 'Manifest unknown.' } });
  expect(readImage(image.id)).toMatchObject({ newerDigest: '', newerChecked: '' });
});

it('is asked by itself now and then, once for each image, also where the answer does not come', async () => {
  await sweepNewer();
  expect(readImage(image.id)).toMatchObject({ newerDigest: 'sha256:new' });
  expect(readImage(image.id)!.newerChecked).not.toBe('');
  await sweepNewer();
  expect(link.opened).toHaveLength(1);
  image = await pulled();
  remote = { refused: { code: 'failed', message: 'gone' } };
  await sweepNewer();
  await sweepNewer();
  expect(link.opened).toHaveLength(2);
  expect(readImage(image.id)!.newerChecked).not.toBe('');
});

it('is not asked of disabled images and templates, nor of hosts that are away', async () => {
  await pulled({ enabled: false });
  await sweepNewer();
  await pulled({ template: true });
  await sweepNewer();
  await pulled();
  await write((tx) => tx.patch(hosts, host.id, { status: 'offline' }));
  await sweepNewer();
  expect(link.opened).toEqual([]);
});
