import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { closeDb } from '@/db/database';
import { users } from '@/lib/accounts/collection';
import { createApiToken } from '@/lib/accounts/security/api-tokens';
import { issueToken } from '@/lib/auth/tokens';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { hostPermissions } from '@/lib/hosts/permissions';
import { handleHostTerminalUpgrade, isHostTerminalPath } from '@/lib/hosts/terminals/upgrade';
import { newSecret } from '@/lib/ids';
import type { HeartbeatRequest } from '@/lib/protocol/calls';
import { encodeNews, encodeOutput } from '@/lib/protocol/terminal-parts';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import type { TerminalNewsForViewer } from '@/lib/vocabulary/terminal';
import { api } from '../setup/api';
import { createHost, createUser, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';
import type { ScriptedAgent } from './scripted-agent';

/** Who gets a shell on a host itself, and what is told of it. */
const READY = { isOn: true, canResize: true, isContained: false, problem: '' };
const call = createCaller([...agentRoutes]);
const server = http.createServer();
let links: Awaited<ReturnType<typeof startLinkServer>>;
let agent: ScriptedAgent;
let host: HostRow;
let link: AgentLink;
let admin: UserActor;
const open = new Set<WebSocket>();

beforeAll(async () => {
  server.on('upgrade', handleHostTerminalUpgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  links = await startLinkServer();
  ({ agent, host } = await createHost(call));
  link = await connectLink(agent, links.port);
  admin = await createUser({ isAdmin: true, name: 'Ada' });
});
beforeEach(() => says(READY));
afterEach(() => {
  for (const socket of open) socket.terminate();
  open.clear();
});
afterAll(async () => {
  link.socket.terminate();
  await links.close();
  await new Promise((resolve) => server.close(resolve));
  closeDb();
});

/** What the agent says of terminals; undefined as an older one, which says nothing. */
async function says(hostTerminal: HeartbeatRequest['hostTerminal']): Promise<void> {
  const answer = await agent.heartbeat(hostTerminal && { hostTerminal });
  expect(answer.status).toBe(200);
}

const accountOf = ({ id }: { id: string }) => new StoreReader().get(users, id)!;
const tokenOf = (actor: UserActor) => issueToken(accountOf(actor), 'auth', users.id);

interface Terminal {
  socket: WebSocket;
  news: TerminalNewsForViewer[];
  closed: Promise<number>;
}

/** Opens a terminal as a browser would; rejects with the status of a refusal. */
function connect(headers: Record<string, string>, query = ''): Promise<Terminal> {
  const { port } = server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/host/${host.id}/exec${query}`, { headers });
  open.add(socket);
  const terminal: Terminal = {
    socket,
    news: [],
    closed: new Promise((resolve) => socket.on('close', resolve)),
  };
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) terminal.news.push(JSON.parse(data.toString()) as TerminalNewsForViewer);
  });
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(terminal));
    socket.on('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))));
    socket.on('error', reject);
  });
}

const ask = (authorization?: string) =>
  api('GET', `/api/host/${host.id}/terminal`, authorization ? { headers: { authorization } } : {});

async function grant(flags: Record<string, boolean>): Promise<UserActor> {
  const person = await createUser();
  await write((tx) => tx.insert(hostPermissions, { user: person.id, host: host.id, ...flags }));
  return person;
}

describe('a terminal on a host', () => {
  it('is for admins alone, by socket and by question', async () => {
    const count = link.opened.length;
    const everything = { view: true, canCreateImages: true, canCreateWorkspaces: true, canCreateBindMounts: true };
    const helper = await grant(everything);
    const stranger = await createUser();
    const maker = await createUser();
    await write((tx) => tx.patch(hosts, host.id, { created_by: maker.id }));
    const grid: [string | undefined, number][] = [
      [undefined, 401],
      ['nonsense', 401],
      [tokenOf(stranger), 404],
      [tokenOf(helper), 403],
      // Whoever joined the host may change it, and gets no shell there.
      [tokenOf(maker), 403],
      [issueToken(accountOf(admin), 'file', users.id), 401],
    ];
    for (const [token, status] of grid) {
      await expect(connect(token ? { authorization: token } : {})).rejects.toThrow(String(status));
      expect(await ask(token)).toMatchObject({ status });
    }
    expect(link.opened.length).toBe(count);
    for (const purpose of ['auth', 'adminAuth'] as const) {
      const token = issueToken(accountOf(admin), purpose, users.id);
      expect(await ask(token)).toMatchObject({ status: 200, json: { isHostThere: true } });
      await connect({ authorization: token });
    }
    await vi.waitFor(() => expect(link.opened.length).toBe(count + 2));
    expect(link.opened.at(-1)!.open).toMatchObject({ kind: 'hostShell', viewer: admin.id, isNew: true });
    expect(link.opened.at(-1)!.open).not.toHaveProperty('workspaceId');
  });

  it('is not for pages of elsewhere, nor for API tokens, an admin’s neither', async () => {
    await expect(connect({ authorization: tokenOf(admin), origin: 'https://evil.example' })).rejects.toThrow('403');
    for (const scope of ['read', 'full'] as const) {
      const { token } = await createApiToken(admin.id, { name: scope, scope, expiresInDays: 1 });
      await expect(connect({ authorization: token })).rejects.toThrow('403');
      expect(await ask(token)).toMatchObject({
        status: 403,
        json: { message: expect.stringContaining('API token') as string },
      });
    }
    await expect(connect({ authorization: tokenOf(admin) }, '?cols=0')).rejects.toThrow('400');
    expect(isHostTerminalPath(`/api/host/${host.id}/attach`)).toBe(false);
  });

  it.each([
    ['is too old', undefined, 'too old for terminals'],
    ['was started without', { ...READY, isOn: false }, 'not started with BERTH_HOST_TERMINAL=1'],
    ['has nothing to give one with', { ...READY, problem: 'This host needs python3.' }, 'needs python3'],
  ])('is refused in words where the agent %s', async (_, said, words) => {
    await says(said);
    await expect(connect({ authorization: tokenOf(admin) })).rejects.toThrow('409');
    expect(await ask(tokenOf(admin))).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining(words) as string },
    });
    const member = await grant({ view: true });
    expect(await ask(tokenOf(member))).toMatchObject({ status: 403 });
  });

  it('tells pages who may', async () => {
    const seen = async (actor: UserActor) => {
      const { json } = await api('GET', `/api/collections/hosts/records/${host.id}?can=1`, {
        headers: { authorization: tokenOf(actor) },
      });
      return (json as { can: Record<string, boolean> }).can.openTerminal;
    };
    expect(await seen(admin)).toBe(true);
    expect(await seen(await grant({ view: true }))).toBe(false);
  });

  it('closes with words when the admin is one no more, and stands in the audit log with its length', async () => {
    const other = await createUser({ isAdmin: true, name: 'Bo' });
    const count = link.opened.length;
    const terminal = await connect({ authorization: tokenOf(other) });
    await vi.waitFor(() => expect(link.opened.length).toBe(count + 1));
    const { stream } = link.opened.at(-1)!;
    const how: string[] = [];
    stream.listen({ onEnd: ({ cancelled }) => how.push(cancelled ? 'left' : 'ended') });
    const begin = {
      k: 'begin',
      offset: 0,
      replayTo: 0,
      isNew: true,
      owner: other.id,
      program: 'bash',
      takesInput: true,
    };
    await stream.write(encodeNews(begin as never));
    await stream.write(encodeOutput(Buffer.from('hunter2')));
    await vi.waitFor(() => expect(terminal.news.map(({ k }) => k)).toContain('begin'));
    terminal.socket.send(Buffer.from('hunter3\r'));
    await write((tx) => tx.patch(users, other.id, { isAdmin: false, tokenKey: newSecret(50) }));
    expect(await terminal.closed).toBe(4403);
    await vi.waitFor(() => expect(how).toEqual(['left']));
    const rows = () =>
      prepare<{ record: string; action: string; user: string; details: string }>(
        'SELECT * FROM audit ORDER BY created, id',
      )
        .all()
        .filter(({ user }) => user === other.id);
    await vi.waitFor(() =>
      expect(rows().map(({ action }) => action)).toEqual(['host.openTerminal', 'host.leaveTerminal']),
    );
    expect(rows().every(({ record }) => record === host.id)).toBe(true);
    expect(JSON.parse(rows()[1]!.details)).toMatchObject({ kind: 'hostShell', seconds: 0 });
    expect(JSON.stringify(rows())).not.toMatch(/hunter/);
  });

  it('says that the host is not there', async () => {
    link.socket.terminate();
    await vi.waitFor(async () => expect(await ask(tokenOf(admin))).toMatchObject({ json: { isHostThere: false } }));
    await expect(connect({ authorization: tokenOf(admin) })).rejects.toThrow('503');
  });
});
