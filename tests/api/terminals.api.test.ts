import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { closeDb } from '@/db/database';
import { users } from '@/lib/accounts/collection';
import { groups } from '@/lib/groups/collection';
import { groupMembers } from '@/lib/groups/members';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { HostRow } from '@/lib/hosts/collection';
import { issueToken } from '@/lib/auth/tokens';
import { newSecret } from '@/lib/ids';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import { STREAM_WINDOW_BYTES, type OpenExec } from '@/lib/protocol/streams';
import { encodeNews, encodeOutput } from '@/lib/protocol/terminal-parts';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { limits } from '@/lib/vocabulary/limits';
import { TERMINAL_WINDOW_BYTES, type TerminalNewsForViewer } from '@/lib/vocabulary/terminal';
import type { WorkspaceRow } from '@/lib/workspaces/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { handleTerminalUpgrade } from '@/lib/workspaces/terminals/upgrade';
import { workspaces } from '@/lib/workspaces/collection';
import { sendApi } from '../setup/api';
import { signInPage } from '../setup/page-session';
import { createHost, createImage, createTenant, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';
import type { ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes]);
const server = http.createServer();
let links: Awaited<ReturnType<typeof startLinkServer>>;
let agent: ScriptedAgent;
let host: HostRow;
let link: AgentLink;
let owner: UserActor;
let workspace: WorkspaceRow;
const open = new Set<WebSocket>();

beforeAll(async () => {
  server.on('upgrade', handleTerminalUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  links = await startLinkServer();
  ({ agent, host } = await createHost(call));
  link = await connectLink(agent, links.port);
  owner = await createTenant(host);
  workspace = await createOne();
});
afterEach(async () => {
  for (const socket of open) socket.terminate();
  open.clear();
  await vi.waitFor(() => expect(link.opened.every(({ stream }) => stream.isClosed)).toBe(true));
});
afterAll(async () => {
  link.socket.terminate();
  await links.close();
  await new Promise((resolve) => server.close(resolve));
  closeDb();
});

async function createOne(): Promise<WorkspaceRow> {
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  return createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
}

function tokenOf(actor: UserActor): string {
  return issueToken(new StoreReader().get(users, actor.id)!, 'auth', users.id);
}

interface Terminal {
  socket: WebSocket;
  news: TerminalNewsForViewer[];
  text(): string;
  bytes: number;
  /** One that is not sends nothing back for what it gets. */
  isShowing: boolean;
  closed: Promise<number>;
  find<K extends TerminalNewsForViewer['k']>(kind: K): Extract<TerminalNewsForViewer, { k: K }> | undefined;
}

/** Opens a terminal as a browser would; rejects with the status of a refusal. */
function connect(headers: Record<string, string>, path = `${workspace.id}/exec`): Promise<Terminal> {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/workspace/${path}`, { headers });
  open.add(socket);
  const chunks: Buffer[] = [];
  const terminal: Terminal = {
    socket,
    news: [],
    bytes: 0,
    isShowing: true,
    text: () => Buffer.concat(chunks).toString('utf8'),
    closed: new Promise((resolve) => socket.on('close', resolve)),
    find: (kind) => terminal.news.findLast(({ k }) => k === kind) as never,
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return terminal.news.push(JSON.parse(data.toString()) as TerminalNewsForViewer);
    terminal.bytes += data.length;
    if (terminal.isShowing) socket.send(JSON.stringify({ k: 'taken', bytes: data.length }));
    return terminal.bytes < 100_000 && chunks.push(data);
  });
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(terminal));
    socket.on('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))));
    socket.on('error', reject);
  });
}

const as = (actor: UserActor, path?: string) => connect({ authorization: tokenOf(actor) }, path);

const begin = {
  k: 'begin',
  offset: 0,
  replayTo: 0,
  isNew: true,
  owner: '',
  program: 'bash',
  takesInput: true,
} as const;

function rawSocket({ socket }: Terminal): Socket {
  return (socket as unknown as { _socket: Socket })._socket;
}

interface AuditRow {
  record: string;
  action: string;
  details: string;
}

/** The host's end of the terminal that was opened last. */
async function atHost(count: number): Promise<{ stream: MuxStream; asked: OpenExec; keys: Buffer[]; how: string[] }> {
  await vi.waitFor(() => expect(link.opened.length).toBe(count));
  const { stream, open: asked } = link.opened.at(-1)!;
  const keys: Buffer[] = [];
  const how: string[] = [];
  stream.listen({
    onData: (chunk) => {
      keys.push(chunk);
      stream.consumed(chunk.length);
    },
    onResize: ({ cols, rows }) => how.push(`${cols}x${rows}`),
    onEnd: ({ cancelled }) => how.push(cancelled ? 'left' : 'ended'),
  });
  return { stream, asked: asked as OpenExec, keys, how };
}

async function pair(actor = owner, path?: string) {
  const count = link.opened.length + 1;
  const terminal = await as(actor, path);
  const far = await atHost(count);
  await far.stream.write(encodeNews({ ...begin, owner: far.asked.viewer }));
  await vi.waitFor(() => expect(terminal.find('begin')).toBeDefined());
  return { terminal, ...far };
}

async function grantAttach(flags: Record<string, boolean>): Promise<{ reader: UserActor; grantId: string }> {
  const reader = await createUser({ name: 'Priya' });
  const values = { user: reader.id, workspace: workspace.id, ...flags };
  const grant = await write((tx) => tx.insert(workspacePermissions, values));
  return { reader, grantId: grant.id };
}

describe('a terminal', () => {
  it('hands keys, output and sizes on, and tells of the end', async () => {
    const query = 'command=top+-d+%222+s%22&user=1000&workdir=/srv&cols=100&rows=30';
    const { terminal, stream, asked, keys, how } = await pair(owner, `${workspace.id}/exec?${query}`);
    expect(asked).toMatchObject({
      kind: 'exec',
      workspaceId: workspace.id,
      isNew: true,
      viewer: owner.id,
      from: null,
      command: 'top -d "2 s"',
      words: ['top', '-d', '2 s'],
      user: '1000',
      workdir: '/srv',
      cols: 100,
      rows: 30,
    });
    expect(terminal.find('begin')).toMatchObject({ session: asked.session, program: 'bash', owner: { id: owner.id } });
    expect(asked.session).toMatch(/^[A-Za-z0-9]{32}$/);
    terminal.socket.send(Buffer.from('grüße\r'));
    terminal.socket.send(JSON.stringify({ k: 'resize', cols: 70, rows: 20 }));
    await stream.write(
      Buffer.concat([encodeOutput(Buffer.from('hallo — ü')), encodeNews({ k: 'size', cols: 70, rows: 20 })]),
    );
    await vi.waitFor(() => expect(Buffer.concat(keys).toString()).toBe('grüße\r'));
    await vi.waitFor(() => expect(how).toEqual(['70x20']));
    await vi.waitFor(() => expect(terminal.text()).toBe('hallo — ü'));
    stream.end({ code: 3, message: '' });
    expect(await terminal.closed).toBe(1000);
    expect(terminal.find('closed')).toEqual({ k: 'closed', reason: 'ended', code: 3, message: '' });
  });

  it('tells those who look on of each other, and only the last leave is one', async () => {
    const { terminal, asked, how } = await pair();
    const { reader } = await grantAttach({ attach: true });
    const count = link.opened.length + 1;
    const second = await as(reader, `${workspace.id}/exec?session=${asked.session}&from=7`);
    const far = await atHost(count);
    expect(far.asked).toMatchObject({ isNew: false, session: asked.session, viewer: reader.id, from: 7 });
    await vi.waitFor(() =>
      expect(terminal.find('watching')).toMatchObject({ people: [{ id: owner.id }, { name: 'Priya' }], place: 0 }),
    );
    expect(second.find('watching')).toMatchObject({ place: 1 });
    second.socket.close();
    await vi.waitFor(() => expect(terminal.find('watching')).toMatchObject({ people: [{ id: owner.id }] }));
    await vi.waitFor(() => expect(far.how).toEqual(['left']));
    terminal.socket.send(JSON.stringify({ k: 'end' }));
    expect(await terminal.closed).toBe(1000);
    await vi.waitFor(() => expect(how).toEqual(['ended']));
  });

  it('is for those with the right to attach alone', async () => {
    const count = link.opened.length;
    const { reader } = await grantAttach({ view: true, deploy: true, modify: true });
    await expect(as(reader)).rejects.toThrow('403');
    await expect(as(await createUser())).rejects.toThrow('404');
    await expect(connect({})).rejects.toThrow('401');
    await expect(as(owner, `${workspace.id}/exec?command=%22`)).rejects.toThrow('400');
    await expect(as(owner, `${workspace.id}/exec?cols=0&session=../x`)).rejects.toThrow('400');
    await expect(connect({ authorization: tokenOf(owner), origin: 'https://evil.example' })).rejects.toThrow('403');
    const fileToken = issueToken(new StoreReader().get(users, owner.id)!, 'file', users.id);
    await expect(connect({}, `${workspace.id}/exec?token=${fileToken}`)).rejects.toThrow('401');
    expect(link.opened.length).toBe(count);
  });

  it('closes with words when the right is taken back', async () => {
    const { reader, grantId } = await grantAttach({ attach: true });
    const { terminal, how } = await pair(reader);
    await write((tx) => tx.remove(workspacePermissions, grantId));
    expect(await terminal.closed).toBe(4403);
    expect(terminal.find('closed')).toMatchObject({
      reason: 'revoked',
      message: 'You may no longer use this terminal.',
    });
    await vi.waitFor(() => expect(how).toEqual(['left']));
  });

  it('closes with words when whoever has it by a group leaves that', async () => {
    const reader = await createUser({ name: 'Priya' });
    const group = await write((tx) => tx.insert(groups, { name: 'terminals' }));
    const membership = await write((tx) => {
      tx.insert(workspacePermissions, { group: group.id, workspace: workspace.id, attach: true });
      return tx.insert(groupMembers, { group: group.id, user: reader.id, source: 'manual' });
    });
    const { terminal, how } = await pair(reader);
    await write((tx) => tx.remove(groupMembers, membership.id));
    expect(await terminal.closed).toBe(4403);
    expect(terminal.find('closed')).toMatchObject({ reason: 'revoked' });
    await vi.waitFor(() => expect(how).toEqual(['left']));
  });

  it('closes when the account is disabled or the workspace goes', async () => {
    const { reader } = await grantAttach({ attach: true });
    const { terminal } = await pair(reader);
    await write((tx) => tx.patch(users, reader.id, { enabled: false, tokenKey: newSecret(50) }));
    expect(await terminal.closed).toBe(4403);
    const other = await createOne();
    const { terminal: gone } = await pair(owner, `${other.id}/attach`);
    await write((tx) => tx.remove(workspaces, other.id));
    expect(await gone.closed).toBe(4403);
  });

  it('is for a page’s own session while that lasts, and for no page of elsewhere', async () => {
    const { cookie } = await signInPage(owner);
    await expect(connect({ cookie, 'sec-fetch-site': 'cross-site' })).rejects.toThrow('401');
    await expect(connect({ cookie, 'sec-fetch-site': 'same-site', origin: 'https://x.test' })).rejects.toThrow('403');
    const terminal = await connect({ cookie, 'sec-fetch-site': 'same-origin' });
    const out = await sendApi('DELETE', '/api/session', { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    expect(out.status).toBe(204);
    expect(await terminal.closed).toBe(4403);
  });

  it.each([
    ['text that is no act', 'nonsense', 1003],
    ['an act that nobody knows', JSON.stringify({ k: 'format' }), 1003],
    ['a size of nothing', JSON.stringify({ k: 'resize', cols: 0, rows: -1 }), 1003],
  ])('closes at %s', async (_, message, code) => {
    const { terminal, how } = await pair();
    terminal.socket.send(message);
    expect(await terminal.closed).toBe(code);
    await vi.waitFor(() => expect(how).toEqual(['left']));
  });

  it('closes at a frame of 100 MB, of which nothing is kept', async () => {
    const { terminal, how } = await pair();
    const frame = Buffer.alloc(14);
    frame.set([0x82, 0xff]);
    frame.writeBigUInt64BE(100_000_000n, 2);
    const raw = rawSocket(terminal);
    const part = Buffer.alloc(1_000_000);
    const before = process.memoryUsage().arrayBuffers;
    raw.write(frame);
    for (let i = 0; i < 100 && raw.writable; i += 1) await new Promise((resolve) => raw.write(part, resolve));
    expect(await terminal.closed).toBe(1009);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
    await vi.waitFor(() => expect(how).toEqual(['left']));
  });

  it('closes a socket that speaks no WebSocket', async () => {
    const { terminal } = await pair();
    rawSocket(terminal).write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    expect([1002, 1006]).toContain(await terminal.closed);
  });

  it('holds the host back while a viewer does not read, and the others read on', async () => {
    const { terminal, stream } = await pair();
    const other = await pair(
      owner,
      `${workspace.id}/exec?session=${link.opened.at(-1)!.open.kind === 'exec' ? 'x1' : ''}`,
    );
    terminal.isShowing = false;
    const big = encodeOutput(Buffer.alloc(32_000, 120));
    let sentBytes = 0;
    const flood = (async () => {
      for (let i = 0; i < 2000; i += 1) {
        await stream.write(big);
        sentBytes += big.length;
      }
    })().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const held = sentBytes;
    expect(held).toBeLessThan(TERMINAL_WINDOW_BYTES + 2 * STREAM_WINDOW_BYTES);
    for (let i = 0; i < 100; i += 1) await other.stream.write(big);
    await vi.waitFor(() => expect(other.terminal.bytes).toBe(3_200_000));
    expect(sentBytes).toBe(held);
    terminal.socket.terminate();
    await flood;
  });

  it('takes a paste of 1 MB whole, as fast as the host takes it', async () => {
    const count = link.opened.length + 1;
    const terminal = await as(owner);
    await vi.waitFor(() => expect(link.opened.length).toBe(count));
    const { stream } = link.opened.at(-1)!;
    const paste = Buffer.alloc(1_000_000, 'abcdefghij');
    for (let at = 0; at < paste.length; at += 32_768) terminal.socket.send(paste.subarray(at, at + 32_768));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const keys: Buffer[] = [];
    stream.listen({
      onData: (chunk) => {
        keys.push(chunk);
        stream.consumed(chunk.length);
      },
    });
    await vi.waitFor(() => expect(Buffer.concat(keys).equals(paste)).toBe(true));
  });

  it('tells what the host refuses, and that the host was lost', async () => {
    const { terminal, stream } = await pair();
    await stream.write(encodeNews({ k: 'refused', code: 'gone', message: 'This session is over.' }));
    expect(await terminal.closed).toBe(4404);
    expect(terminal.find('closed')).toMatchObject({ reason: 'gone', message: 'This session is over.' });
    const { terminal: other, stream: broken } = await pair();
    await broken.write(Buffer.from([1, 0, 0, 0, 1, 0x7b]));
    expect(await other.closed).toBe(4500);
  });

  it('is limited to so many of a person', async () => {
    const person = (await grantAttach({ attach: true })).reader;
    for (let i = 0; i < limits.terminalsPerAccount; i += 1) await as(person);
    await expect(as(person)).rejects.toThrow('429');
    await as(owner);
  });

  it('stands in the audit log: who, as what and how long, and nothing of what was typed', async () => {
    const { terminal, stream } = await pair(owner, `${workspace.id}/exec?command=mysql+-psecret&user=1000`);
    terminal.socket.send(Buffer.from('hunter2\r'));
    await stream.write(encodeOutput(Buffer.from('hunter3')));
    await vi.waitFor(() => expect(terminal.text()).toBe('hunter3'));
    terminal.socket.close();
    const all = () => prepare<AuditRow>('SELECT * FROM audit ORDER BY created, id').all();
    const rows = () =>
      all()
        .filter(({ record }) => record === workspace.id)
        .slice(-2)
        .map(({ details, ...row }) => ({ ...row, details: JSON.parse(details) as unknown }));
    await vi.waitFor(() => expect(rows().at(-1)).toMatchObject({ action: 'workspace.leaveTerminal' }));
    expect(rows()).toMatchObject([
      { action: 'workspace.exec', user: owner.id, address: '127.0.0.1', details: { isNew: true, runsAs: '1000' } },
      { action: 'workspace.leaveTerminal', user: owner.id, details: { kind: 'exec', seconds: 0 } },
    ]);
    expect(JSON.stringify(all())).not.toMatch(/hunter|psecret/);
  });

  it('says that the link was lost, and that there is none', async () => {
    const { terminal } = await pair();
    link.socket.terminate();
    expect(await terminal.closed).toBe(4503);
    await expect(as(owner)).rejects.toThrow('503');
    link.opened.length = 0;
  });
});
