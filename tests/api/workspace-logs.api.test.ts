import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { workspaceLogRoutes } from '@/lib/workspaces/log-routes';
import { issueToken } from '@/lib/auth/tokens';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { users } from '@/lib/accounts/collection';
import { groups } from '@/lib/groups/collection';
import { groupMembers } from '@/lib/groups/members';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import type { WorkspaceRow } from '@/lib/workspaces/collection';
import { deleteRecord } from '@/lib/records/remover';
import { createJoinToken } from '@/lib/hosts/create-join-token';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { hasLiveLink } from '@/lib/hosts/link/links';
import { STREAM_WINDOW_BYTES } from '@/lib/protocol/streams';
import { StoreReader, write } from '@/lib/records/transaction';
import { createHost, createImage, createTenant, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';
import { makeHeartbeat, ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes, ...workspaceLogRoutes]);
let server: Awaited<ReturnType<typeof startLinkServer>>;
let agent: ScriptedAgent;
let host: HostRow;
let link: AgentLink;
let owner: UserActor;
let workspace: WorkspaceRow;

beforeAll(async () => {
  server = await startLinkServer();
  ({ agent, host } = await createHost(call));
  link = await connectLink(agent, server.port);
  owner = await createTenant(host);
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  closeDb();
});

const line = (t: string, m: string) => Buffer.from(`${JSON.stringify({ t, s: 'out', m })}\n`);
const T = (nanos: number) => `2026-01-01T00:00:00.${String(nanos).padStart(9, '0')}Z`;
const newestOpened = async (count: number) => {
  await vi.waitFor(() => expect(link.opened.length).toBe(count));
  return link.opened.at(-1)!;
};

async function readLogs(
  actor: UserActor,
  { path = 'logs', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) {
  const controller = new AbortController();
  const response = await call({
    method: 'GET',
    url: `/api/workspace/${workspace.id}/${path}`,
    headers: { authorization: tokenOf(actor), ...headers },
    signal: controller.signal,
  });
  return { response, controller, body: response.body as Readable };
}

function tokenOf(actor: UserActor): string {
  const user = new StoreReader().get(users, actor.id)!;
  return issueToken(user, 'auth', users.id);
}

async function textOf(body: Readable): Promise<string> {
  let text = '';
  for await (const chunk of body) text += String(chunk);
  return text;
}

describe('the live link', () => {
  it('wakes the host with the new revision when something is asked of it', async () => {
    await requestWorkspace(owner, { workspaceId: workspace.id, action: 'start' });
    const { json } = await agent.desired();
    await vi.waitFor(() => expect(link.wakes.at(-1)).toBe((json as { revision: number }).revision));
    await vi.waitFor(() => expect(new StoreReader().get(hosts, host.id)!.engine!.liveLink).toBe(true));
  });

  it('refuses a link without a proof or of a second process', async () => {
    await expect(connectLink(agent, server.port, { authorization: 'Bearer x.y.z' })).rejects.toThrow('401');
    const second = Object.assign(new ScriptedAgent(call, 'second'), { hostId: agent.hostId });
    const proof = agent.proof('GET', '/api/agent/link', '');
    await expect(connectLink(second, server.port, { authorization: proof })).rejects.toThrow('409');
    expect(hasLiveLink(host.id)).toBe(true);
  });

  it('ends at once when the host is removed, and its key is worth nothing', async () => {
    const other = await createHost(call);
    const otherLink = await connectLink(other.agent, server.port);
    await deleteRecord(hosts, { kind: 'system' }, other.host.id);
    expect(await otherLink.closed).toBe(1000);
    expect((await other.agent.heartbeat()).status).toBe(401);
  });

  it('lets the next process speak at once when the one before has said goodbye', async () => {
    const { token } = await createJoinToken({ kind: 'system' }, { name: 'polite' });
    const polite = new ScriptedAgent(call);
    await polite.join('polite', token);
    await polite.heartbeat();
    const itsLink = await connectLink(polite, server.port);
    expect((await polite.heartbeat({ instance: 'next' })).status).toBe(409);
    itsLink.socket.close(1001);
    await vi.waitFor(async () => expect((await polite.heartbeat({ instance: 'next' })).status).toBe(200));
  });
});

describe('workspace logs', () => {
  it('come as events with the engine time as id, and end with the host', async () => {
    const { response, body } = await readLogs(owner, { path: 'logs?tail=5&follow=0' });
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' });
    const { stream, open } = await newestOpened(1);
    expect(open).toEqual({
      kind: 'logs',
      until: '',
      workspaceId: workspace.id,
      tail: 5,
      since: '',
      follow: false,
      numbered: false,
    });
    const text = textOf(body);
    await stream.write(Buffer.concat([line(T(1), 'eins'), line(T(2), 'zwei — ü')]));
    stream.end();
    const events = (await text).split('\n\n');
    expect(events[1]).toBe(`id: ${T(1)}\ndata: {"t":"${T(1)}","s":"out","m":"eins"}`);
    expect(events[2]).toContain('zwei — ü');
    expect(events[3]).toBe('event: end\ndata: {"message":"","reason":"ended"}');
  });

  it('resume after the last event', async () => {
    const { controller } = await readLogs(owner, { headers: { 'last-event-id': T(7) } });
    const { stream, open } = await newestOpened(2);
    expect(open).toMatchObject({ since: T(7), tail: null, follow: true });
    controller.abort();
    await vi.waitFor(() => expect(stream.isClosed).toBe(true));
  });

  it('end at a time that is asked for, which an agent of before is not asked for', async () => {
    const before = link.opened.length;
    const { controller } = await readLogs(owner, { path: `logs?since=${T(1)}&until=2026-01-01T02:00:01%2B02:00` });
    const { open } = await newestOpened(before + 1);
    expect(open).toMatchObject({ since: T(1), until: '2026-01-01T00:00:01.000Z', follow: false });
    controller.abort();
    const { versions } = makeHeartbeat(agent.instance);
    await agent.heartbeat({ versions: { ...versions, protocol: 4 } });
    const { response } = await readLogs(owner, { path: `logs?until=${T(1)}` });
    expect(response).toMatchObject({ status: 400, json: { data: { until: { code: 'validation_agent_too_old' } } } });
    await agent.heartbeat();
    link.opened.length = before;
  });

  it('hold the host back while the reader does not read', async () => {
    const { controller, body } = await readLogs(owner);
    const { stream } = await newestOpened(3);
    let sentBytes = 0;
    const big = line(T(1), 'x'.repeat(32_000));
    void (async () => {
      for (let i = 0; i < 100; i += 1) {
        await stream.write(big);
        sentBytes += big.length;
      }
    })().catch(() => undefined);
    await vi.waitFor(() => expect(sentBytes).toBeGreaterThan(100_000));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sentBytes).toBeLessThan(2 * STREAM_WINDOW_BYTES);
    body.resume();
    await vi.waitFor(() => expect(sentBytes).toBe(100 * big.length));
    controller.abort();
  });

  it('close when the grant is taken back', async () => {
    const reader = await createUser();
    const values = { user: reader.id, workspace: workspace.id, view: true };
    const grant = await write((tx) => tx.insert(workspacePermissions, values));
    const { body } = await readLogs(reader);
    const { stream } = await newestOpened(4);
    const text = textOf(body);
    await write((tx) => tx.remove(workspacePermissions, grant.id));
    expect(await text).toContain('"reason":"revoked"');
    await vi.waitFor(() => expect(stream.isClosed).toBe(true));
  });

  it('close for who leaves the group that may read them', async () => {
    const reader = await createUser();
    const group = await write((tx) => tx.insert(groups, { name: 'readers' }));
    const membership = await write((tx) => {
      tx.insert(workspacePermissions, { group: group.id, workspace: workspace.id, view: true });
      return tx.insert(groupMembers, { group: group.id, user: reader.id, source: 'manual' });
    });
    const { body } = await readLogs(reader);
    const { stream } = await newestOpened(5);
    const text = textOf(body);
    await write((tx) => tx.remove(groupMembers, membership.id));
    expect(await text).toContain('"reason":"revoked"');
    await vi.waitFor(() => expect(stream.isClosed).toBe(true));
  });

  it('are hidden from strangers', async () => {
    expect((await readLogs(await createUser())).response.status).toBe(404);
    expect(link.opened.length).toBe(5);
  });

  it('download as text', async () => {
    const { response, body } = await readLogs(owner, { path: 'logs/download' });
    expect(response.headers?.['content-disposition']).toBe(`attachment; filename="${workspace.name}.log"`);
    const { stream } = await newestOpened(6);
    const text = textOf(body);
    await stream.write(line(T(1), 'eins'));
    stream.end();
    expect(await text).toBe(`${T(1)} eins\n`);
  });

  it('tell between the lines whose they are, which a download leaves out', async () => {
    const news = Buffer.from(`${JSON.stringify({ k: 'source', containerId: 'c1' })}\n`);
    const { body } = await readLogs(owner);
    const { stream } = await newestOpened(7);
    const text = textOf(body);
    await stream.write(Buffer.concat([news, line(T(1), 'eins')]));
    stream.end();
    expect((await text).split('\n\n')[1]).toBe('event: news\ndata: {"k":"source","containerId":"c1"}');
    const download = await readLogs(owner, { path: 'logs/download' });
    const downloaded = await newestOpened(8);
    await downloaded.stream.write(Buffer.concat([news, line(T(1), 'eins')]));
    downloaded.stream.end();
    expect(await textOf(download.body)).toBe(`${T(1)} eins\n`);
  });

  it('are read by number and searched at the host, a JSON value a line', async () => {
    const range = await readLogs(owner, { path: `logs/range?container=c1&from=3&to=4&before=${T(9)}` });
    const { stream, open } = await newestOpened(9);
    const asked = { workspaceId: workspace.id, containerId: 'c1', from: 3, to: 4, before: T(9) };
    expect(open).toEqual({ kind: 'logRange', ...asked });
    const row = { t: T(1), s: 'out', m: 'drei', n: 3 };
    await stream.write(Buffer.from(`${JSON.stringify(row)}\n`));
    stream.fail('This container is gone');
    const rows = (await textOf(range.body)).trimEnd().split('\n');
    expect(rows.map((text) => JSON.parse(text) as unknown)).toEqual([
      row,
      { k: 'failed', message: 'This container is gone' },
    ]);
    const { controller } = await readLogs(owner, {
      path: 'logs/search?container=c1&pattern=a.b&regex=1&invert=1&levels=error,warn&limit=5',
    });
    expect((await newestOpened(10)).open).toEqual({
      kind: 'logSearch',
      workspaceId: workspace.id,
      containerId: 'c1',
      from: 1,
      to: null,
      pattern: 'a.b',
      isRegex: true,
      isCaseSensitive: false,
      isInverted: true,
      levels: ['error', 'warn'],
      limit: 5,
    });
    controller.abort();
  });

  it.each(['range?container=c1&from=9&to=3', 'range?container=c1&from=1&to=60000', 'search?container=c1&levels=loud'])(
    'refuse %s',
    async (path) => {
      expect((await readLogs(owner, { path: `logs/${path}` })).response.status).toBe(400);
    },
  );

  it('say that the link was lost, and that there is none', async () => {
    const { body } = await readLogs(owner);
    await newestOpened(11);
    const text = textOf(body);
    link.socket.terminate();
    expect(await text).toContain('"reason":"lost"');
    expect((await readLogs(owner)).response.status).toBe(503);
  });
});
