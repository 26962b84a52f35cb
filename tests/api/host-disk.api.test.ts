import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { putDesired } from '@/lib/hosts/link/desired';
import { builds } from '@/lib/images/builds';
import { prepare } from '@/lib/records/statements';
import { write } from '@/lib/records/transaction';
import { workspaceKind } from '@/lib/workspaces/at-host';
import { makeWorkspaceSpec } from '../agent/specs';
import { api } from '../setup/api';
import { createHost, createImage, createTenant, createUser } from './factories';
import { createFileHost, type FileHost } from './file-host';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

const call = createCaller([...agentRoutes]);
let server: Awaited<ReturnType<typeof startLinkServer>>;
let files: FileHost;
let host: HostRow;
let link: AgentLink;
let admin: { id: string };

beforeAll(async () => {
  server = await startLinkServer();
  files = await createFileHost();
  const made = await createHost(call);
  host = made.host;
  link = await connectLink(made.agent, server.port, { answer: files.answer });
  admin = await createUser({ isAdmin: true });
  const image = await createImage({ build_on: host.id, imageId: 'sha256:latest' });
  await write((tx) => {
    tx.insert(builds, { image: image.id, host: host.id, number: 1, status: 'build_finished', imageId: 'sha256:built' });
    const spec = makeWorkspaceSpec({ image: { reference: 'team/wanted:1', id: '', pull: true } });
    putDesired(tx, workspaceKind, { hostId: host.id, objectId: 'w1', spec });
    tx.patch(hosts, host.id, { local_images: ['team/local'] });
  });
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  closeDb();
});

const path = (what: string) => `/api/host/${host.id}/${what}`;
const read = (as?: { id: string }) => api('GET', path('disk'), { ...(as && { as }) });
const prune = (body: object, as = admin) => api('POST', path('prune'), { as, body });
const asked = () => link.opened.map(({ open }) => open).filter(({ kind }) => kind === 'prune');

it('is told to whoever may change the host: what nobody needs, without what the console needs', async () => {
  const tenant = await createTenant(host);
  expect((await read()).status).toBe(401);
  expect((await read(await createUser())).status).toBe(404);
  expect((await read(tenant)).status).toBe(403);
  expect((await prune({ name: host.name, images: true }, tenant)).status).toBe(403);
  expect(link.opened).toEqual([]);
  const { status, json } = await read(admin);
  expect(status).toBe(200);
  expect((json.unused as { imageId: string }[]).map(({ imageId }) => imageId)).toEqual([
    'sha256:nameless',
    'sha256:other',
  ]);
  expect(json).toMatchObject({ unusedCount: 2, unusedBytes: 47 + 46, layersBytes: 100, prune: null });
});

it('goes only with the name of the host, and only what is chosen', async () => {
  expect((await prune({ name: 'another', images: true })).json).toMatchObject({
    code: 400,
    data: { name: { message: 'This is not the name of the host.' } },
  });
  expect((await prune({ name: host.name })).json).toMatchObject({
    data: { images: { message: 'Choose what to remove.' } },
  });
  expect(asked()).toEqual([]);
});

it('goes by the agent, with a word in the audit log, and how it went is told with the next look', async () => {
  const { status, json } = await prune({ name: host.name, images: true });
  expect(status).toBe(202);
  expect(json).toMatchObject({ asked: 2, message: '' });
  expect(asked()).toEqual([{ kind: 'prune', images: ['sha256:nameless', 'sha256:other'], buildCache: false }]);
  expect((await read(admin)).json.prune).toMatchObject({ isRunning: false, removed: 2 });
  const entry = prepare(`SELECT record_name AS name, details FROM audit WHERE action = 'host.prune'`).get() as Record<
    string,
    string
  >;
  expect(entry.name).toBe(host.name);
  expect(JSON.parse(entry.details!)).toEqual({ images: 2, buildCache: false });

  await prune({ name: host.name, buildCache: true });
  expect(asked().at(-1)).toEqual({ kind: 'prune', images: [], buildCache: true });
  expect((await read(admin)).json.prune).toMatchObject({ freedCacheBytes: 7 });
});

it('says so where the host has no link', async () => {
  const { host: away } = await createHost(call);
  const answer = await api('GET', `/api/host/${away.id}/disk`, { as: admin });
  expect(answer).toMatchObject({ status: 503, json: { message: expect.stringContaining('no live link') as string } });
});
