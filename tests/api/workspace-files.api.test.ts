import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { HostRow } from '@/lib/hosts/collection';
import type { AnyRow } from '@/lib/records/collection';
import { prepare } from '@/lib/records/statements';
import { write } from '@/lib/records/transaction';
import { limits } from '@/lib/vocabulary/limits';
import type { WorkspaceRow } from '@/lib/workspaces/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { api, sendApi } from '../setup/api';
import { signInPage } from '../setup/page-session';
import { createHost, createImage, createTenant, createUser, createWorkspace, type UserActor } from './factories';
import { createFileHost, type FileHost } from './file-host';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

const call = createCaller([...agentRoutes]);
let server: Awaited<ReturnType<typeof startLinkServer>>;
let files: FileHost;
let host: HostRow;
let link: AgentLink;
let owner: UserActor;
let workspace: WorkspaceRow;
let base: string;

beforeAll(async () => {
  server = await startLinkServer();
  files = await createFileHost();
  const made = await createHost(call);
  host = made.host;
  link = await connectLink(made.agent, server.port, { answer: files.answer });
  owner = await createTenant(host);
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id, status: 'running' });
  await files.addContainer(workspace.id);
  base = `/api/workspace/${workspace.id}/files`;
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  closeDb();
});

interface Sent {
  as?: { id: string };
  name?: string;
  folder?: string;
  content?: string;
  query?: string;
  length?: string;
}

function upload({ as = owner, name = 'a.txt', folder = '/home', content = 'hello', query = '', length }: Sent) {
  const size = length ?? String(Buffer.byteLength(content));
  const headers = { 'content-type': 'application/octet-stream', ...(size && { 'content-length': size }) };
  const asked = new URLSearchParams({ path: folder, name }).toString();
  return api('POST', `${base}?${asked}${query}`, { as, body: content, headers });
}

const download = (path: string, as: { id: string } = owner) =>
  sendApi('GET', `${base}/download?path=${encodeURIComponent(path)}`, { as });
const list = (path: string, as: { id: string } = owner) =>
  api('GET', `${base}?path=${encodeURIComponent(path)}`, { as });
const namesIn = async (path: string) => ((await list(path)).json.entries as AnyRow[]).map(({ name }) => name);

async function withFlags(flags: Record<string, boolean>): Promise<UserActor> {
  const user = await createUser();
  await write((tx) => tx.insert(workspacePermissions, { user: user.id, workspace: workspace.id, ...flags }));
  return user;
}

function audited(action: string): AnyRow[] {
  const rows = prepare('SELECT user, record, details FROM audit WHERE action = ? ORDER BY created, id').all(action);
  return rows as AnyRow[];
}

describe('files of a workspace', () => {
  it('lists a folder, says what a path leads to, and takes `..` out of it', async () => {
    expect((await list('/')).json).toMatchObject({ kind: 'folder', isWhole: true });
    expect(await namesIn('/')).toEqual(expect.arrayContaining(['etc', 'home']));
    expect(await namesIn('/etc/../home//')).toContain('readme.txt');
    expect((await list('/etc/hostname')).json).toMatchObject({ kind: 'file', size: 13, entries: [] });
  });

  it.each([
    ['etc', 400],
    ['', 400],
    ['/a\0b', 400],
    [`/${'a'.repeat(limits.containerPathLength)}`, 400],
    ['/nowhere', 404],
  ])('refuses the path %j with %i', async (path, status) => {
    const answer = await list(path);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json.data).toHaveProperty('path');
  });

  it('is for who may attach alone, and asks the host nothing for anybody else', async () => {
    const stranger = await createUser();
    const viewer = await withFlags({ view: true, deploy: true, modify: true, delete: true });
    const guest = { id: '' };
    const before = link.opened.length;
    for (const [actor, status] of [
      [guest, 401],
      [stranger, 404],
      [viewer, 403],
    ] as const) {
      const as = actor.id === '' ? undefined : actor;
      expect((await api('GET', `${base}?path=/`, { as })).status).toBe(status);
      expect((await sendApi('GET', `${base}/download?path=/etc/hostname`, { as })).status).toBe(status);
      const headers = { 'content-length': '5' };
      const sent = await api('POST', `${base}?path=/home&name=b.txt`, { as, body: 'hello', headers });
      expect(sent.status).toBe(status);
    }
    expect(link.opened.length).toBe(before);
    const helper = await withFlags({ attach: true });
    expect((await list('/', helper)).status).toBe(200);
  });

  it('downloads a file as it is, as nothing that a browser would show', async () => {
    const page = '<script>parent.stolen = document.cookie</script>';
    expect((await upload({ name: 'grüße "1".html', content: page })).status).toBe(200);
    const answer = await download('/home/grüße "1".html');
    expect(await answer.text()).toBe(page);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(page.length),
      'content-disposition': `attachment; filename="gr__e _1_.html"; filename*=UTF-8''gr%C3%BC%C3%9Fe%20%221%22.html`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store, no-transform',
    });
    expect(audited('workspace.downloadFile').at(-1)).toMatchObject({
      user: owner.id,
      record: workspace.id,
      details: JSON.stringify({ path: '/home/grüße "1".html', size: page.length }),
    });
  });

  it('downloads a folder as a tar', async () => {
    const answer = await download('/etc');
    expect(answer.headers.get('content-disposition')).toContain('filename="etc.tar"');
    const names: string[] = [];
    const parser = extract();
    Readable.from(Buffer.from(await answer.arrayBuffer())).pipe(parser as unknown as NodeJS.WritableStream);
    for await (const entry of parser) {
      names.push(entry.header.name);
      entry.resume();
    }
    expect(names).toEqual(['etc/hostname']);
  });

  it('opens a download to the page’s own cookie, and to no page of elsewhere', async () => {
    const { cookie } = await signInPage(owner);
    const ask = (site: string) =>
      sendApi('GET', `${base}/download?path=/etc/hostname`, { headers: { cookie, 'sec-fetch-site': site } });
    expect((await ask('same-origin')).status).toBe(200);
    expect((await ask('cross-site')).status).toBe(401);
  });

  it('uploads a file, and takes the place of another only when asked to', async () => {
    const sent = await upload({ name: 'line\nbreak.txt', content: 'one' });
    expect(sent).toMatchObject({ status: 200, json: { path: '/home/line\nbreak.txt', size: 3 } });
    const again = await upload({ name: 'line\nbreak.txt', content: 'two' });
    expect(again).toMatchObject({ status: 409, json: { data: { name: { code: 'validation_file_exists' } } } });
    expect(await (await download('/home/line\nbreak.txt')).text()).toBe('one');
    expect((await upload({ name: 'line\nbreak.txt', content: 'two', query: '&replace=1' })).status).toBe(200);
    expect(await (await download('/home/line\nbreak.txt')).text()).toBe('two');
    expect((await upload({ name: 'empty', content: '' })).status).toBe(200);
    expect(await (await download('/home/empty')).text()).toBe('');
    expect(audited('workspace.uploadFile').at(-1)).toMatchObject({
      user: owner.id,
      details: JSON.stringify({ path: '/home/empty', size: 0 }),
    });
  });

  it.each([
    ['too large', { length: String(limits.workspaceFileBytes + 1) }, 413],
    ['without a length', { length: '' }, 400],
    ['with a name that is a path', { name: '../b' }, 400],
    ['named ..', { name: '..' }, 400],
  ])('refuses an upload %s before the host hears of it', async (_, sent, status) => {
    const before = link.opened.length;
    expect((await upload(sent)).status).toBe(status);
    expect(link.opened.length).toBe(before);
  });

  it('keeps nothing of an upload that is shorter or longer than was said, or goes nowhere', async () => {
    const told = audited('workspace.uploadFile').length;
    expect((await upload({ name: 'short', length: '6' })).status).toBe(400);
    expect((await upload({ name: 'long', length: '4' })).status).toBe(400);
    expect((await upload({ name: 'lost', folder: '/nowhere' })).status).toBe(404);
    expect((await upload({ name: 'etc', folder: '/' })).status).toBe(400);
    await vi.waitFor(() => expect(link.opened.every(({ stream }) => stream.isClosed)).toBe(true));
    expect(await namesIn('/home')).not.toEqual(expect.arrayContaining(['short', 'long']));
    expect(audited('workspace.uploadFile').length).toBe(told);
  });

  it('breaks a download off when the right to it ends', async () => {
    expect((await upload({ name: 'large', content: 'x'.repeat(8_000_000) })).status).toBe(200);
    const helper = await createUser();
    const flags = { user: helper.id, workspace: workspace.id, attach: true };
    const grant = await write((tx) => tx.insert(workspacePermissions, flags));
    const answer = await download('/home/large', helper);
    const reader = answer.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await write((tx) => tx.remove(workspacePermissions, grant.id));
    const rest = async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read());
    };
    await expect(rest()).rejects.toThrow();
    await vi.waitFor(() => expect(link.opened.every(({ stream }) => stream.isClosed)).toBe(true));
  });

  it('stops the host when the browser leaves', async () => {
    const leaving = new AbortController();
    const answer = await sendApi('GET', `${base}/download?path=/home/large`, { as: owner, signal: leaving.signal });
    const reader = answer.body!.getReader();
    await reader.read();
    await reader.cancel();
    await vi.waitFor(() => expect(link.opened.every(({ stream }) => stream.isClosed)).toBe(true));
  });

  it('says so when the host is away', async () => {
    const other = await createHost(call);
    const image = await createImage({ build_on: other.host.id, created_by: owner.id });
    const far = await createWorkspace({ host: other.host.id, image: image.id, created_by: owner.id });
    const answer = await api('GET', `/api/workspace/${far.id}/files?path=/`, { as: owner });
    expect(answer).toMatchObject({ status: 503, json: { message: expect.stringContaining('no live link') as string } });
  });
});
