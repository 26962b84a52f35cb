import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { cleanHost, localHost, PASSWORD, reaches, request, setUp, signIn } from '../setup/journey';
import { LabVisitor, sendRaw, startLab } from '../setup/lab';

/** Clients and workspaces that mean harm, at a port that the console serves. */
describe.skipIf(!engineIsThere())('a port of a workspace under attack', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let hostId: string;
  let lab: RecordModel;
  let mia: PocketBase;
  let browser: LabVisitor;
  let app: string;

  beforeAll(async () => {
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    hostId = (await localHost(pb)).id;
    lab = await startLab(pb, hostId);
    const person = { username: 'mia', name: 'Mia', email: 'mia@example.org', verified: true };
    await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
    mia = await signIn(berth.url, 'mia');
    browser = new LabVisitor(berth.port);
    app = `8888--${lab.id}.localhost`;
    await eventually('the lab answers', async () => (await browser.logIn(pb, app)).status === 200);
  }, 180_000);
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (hostId) await cleanHost(hostId);
  }, 60_000);

  const idOf = (client: PocketBase) => (client.authStore.model as RecordModel).id;
  const statusIn = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  const raw = (lines: string[], until?: string) => sendRaw(berth.port, `${lines.join('\r\n')}\r\n\r\n`, until);
  const own = () => [`Host: ${app}:${berth.port}`, `Cookie: ${browser.cookie(app)}`];
  const answered = (bytes: string, more = '') =>
    browser.open(app, `/raw?bytes=${encodeURIComponent(Buffer.from(bytes).toString('base64'))}${more}`);

  it('answers nothing of the console under the domain, and no workspace elsewhere', async () => {
    const stranger = new LabVisitor(berth.port);
    for (const path of ['/api/health', '/login', '/_next/static/x', '/verify/', '/api/agent/link']) {
      expect((await stranger.open(app, path, { page: false })).status).toBe(401);
      expect((await browser.open(app, path)).text).toBe('no such page of the lab');
      for (const host of ['x.localhost', `8888--${'a'.repeat(15)}.localhost`, `0--${lab.id}.localhost`]) {
        expect((await stranger.open(host, path, { page: false })).status).toBe(404);
      }
    }
    const link = await raw([
      'GET /api/agent/link HTTP/1.1',
      `Host: x.localhost:${berth.port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
    ]);
    expect(statusIn(link)).toBe(404);
    expect((await stranger.open('localhost', '/api/health', { page: false })).status).toBe(200);
  });

  it('takes one host, in its own spelling', async () => {
    expect(statusIn(await raw(['GET /told HTTP/1.1', ...own(), 'Host: localhost', 'Connection: close']))).toBe(400);
    expect(statusIn(await raw([`GET http://${app}/told HTTP/1.1`, ...own(), 'Connection: close']))).toBe(400);
    expect(statusIn(await raw(['GET /told HTTP/1.1', 'Connection: close']))).toBe(400);
    for (const host of [`${app}.:${berth.port}`, `${app}:1`, app]) {
      const program = await browser.open(app, '/told', { headers: { host }, page: false });
      expect(program.status, host).toBe(421);
      const page = await browser.open(app, '/told?a=1', { headers: { host } });
      expect([page.status, page.headers.location]).toEqual([307, `http://${app}:${berth.port}/told?a=1`]);
    }
    const loud = await browser.open(app, '/told', { headers: { host: `${app.toUpperCase()}:${berth.port}` } });
    expect((JSON.parse(loud.text) as { raw: string[] }).raw).toContain(`${app}:${berth.port}`);
  });

  it('lets no request through inside of another', async () => {
    const smuggled = ['GET /told?smuggled HTTP/1.1', 'Host: lab', '', ''].join('\r\n');
    for (const [lines, body] of [
      [['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${smuggled}`],
      [['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], `0\r\n\r\n${smuggled}`],
      [['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled}`],
      [['Transfer-Encoding : chunked'], `0\r\n\r\n${smuggled}`],
      [['Content-Length: 0', `Content-Length: ${smuggled.length}`], smuggled],
      [['Content-Length: +0'], smuggled],
    ] as const) {
      const head = ['POST /count HTTP/1.1', ...own(), ...lines].join('\r\n');
      const text = await sendRaw(berth.port, `${head}\r\n\r\n${body}`);
      expect(text, lines.join()).toMatch(/^HTTP\/1\.1 [45]\d\d/);
      expect(text, lines.join()).not.toContain('smuggled');
    }
    expect(
      statusIn(await raw(['GET /told HTTP/1.1', ...own(), 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'])),
    ).toBe(501);
  }, 60_000);

  it('bears with whatever a workspace answers', async () => {
    const head = 'HTTP/1.1 200 OK\r\n';
    for (const [bytes, status] of [
      ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n', 502],
      ['SSH-2.0-OpenSSH_9.6\r\n', 502],
      [`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 502],
      [`${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`, 502],
      [`HTTP/1.1 200 O\u0001K\r\nContent-Length: 0\r\n\r\n`, 502],
    ] as const) {
      const answer = await answered(bytes, '&close');
      expect(answer.status, bytes).toBe(status);
      expect(answer.text).toContain('gave no answer that can be passed on');
    }
    const flooded = await browser.open(app, '/many');
    expect(flooded.status).toBe(502);
    expect(flooded.text).toContain('more or larger headers');
    await expect(answered(`${head}Content-Length: 100\r\n\r\ncut`, '&close')).rejects.toThrow();
    expect((await browser.open(app, '/told')).status).toBe(200);
  }, 60_000);

  it('keeps the cookies of the console and of siblings out of its reach', async () => {
    const { headers } = await browser.open(app, '/cookies');
    expect(headers['set-cookie']).toEqual(['mine=1; Path=/', 'wide=1; Path=/']);
    expect([headers['clear-site-data'], headers['alt-svc']]).toEqual([undefined, undefined]);
    const console = await new LabVisitor(berth.port).open('localhost', '/login');
    expect(console.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    const worker = await new LabVisitor(berth.port).open(app, '/worker.js', { page: false });
    expect(worker.status).toBe(401);
  });

  it('counts nothing that a page of another origin sends', async () => {
    const sibling = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' };
    expect((await browser.open(app, '/told', { headers: sibling, page: false })).status).toBe(403);
    const form = { ...sibling, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await browser.open(app, '/count', { method: 'POST', body: 'x', headers: form })).status).toBe(403);
    expect((await browser.open(app, '/told', { headers: form })).status).toBe(200);
    const frame = { ...form, 'sec-fetch-dest': 'iframe' };
    expect((await browser.open(app, '/told', { headers: frame })).status).toBe(403);
    for (const origin of [`http://9999--${lab.id}.localhost:${berth.port}`, 'null', `http://localhost:${berth.port}`]) {
      const socket = new WebSocket(`ws://127.0.0.1:${berth.port}/echo`, {
        headers: { host: `${app}:${berth.port}`, cookie: browser.cookie(app), origin },
      });
      socket.on('error', () => undefined);
      const status = await new Promise((resolve) =>
        socket.once('unexpected-response', (_, answer) => resolve(answer.statusCode)),
      );
      expect(status, origin).toBe(403);
    }
  });

  it('opens to its own cookie alone, of a person who is still let in', async () => {
    const other = `7777--${lab.id}.localhost`;
    const value = browser.cookie(app);
    const crossed = await browser.open(other, '/', { headers: { cookie: value } });
    expect(crossed.status).toBe(307);
    expect(
      (await browser.open(app, '/told', { headers: { cookie: value.replace(/(berth-auth=.{30})./, '$1_') } })).status,
    ).toBe(307);
    const begun = await new LabVisitor(berth.port).open(app, '//evil.example/x?y');
    const state = new URL(begun.headers.location ?? '').searchParams.get('state') ?? '';
    const said = JSON.parse(Buffer.from(state.split('.')[0]!, 'base64url').toString()) as { address: string };
    expect(said.address).toBe(`http://${app}:${berth.port}//evil.example/x?y`);
    const grant = { user: idOf(mia), workspace: lab.id, view: true, attach: true };
    await pb.collection('workspace_permissions').create(grant);
    const visitor = new LabVisitor(berth.port);
    expect((await visitor.logIn(mia, app)).status).toBe(200);
    const socket = new WebSocket(`ws://127.0.0.1:${berth.port}/echo`, {
      headers: { host: `${app}:${berth.port}`, cookie: visitor.cookie(app), origin: `http://${app}:${berth.port}` },
    });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await pb.collection('users').update(idOf(mia), { enabled: false });
    await closed;
    expect((await visitor.open(app)).status).toBe(307);
    await pb.collection('users').update(idOf(mia), { enabled: true });
    mia = await signIn(berth.url, 'mia');
  }, 60_000);

  it('starts the workspace for a click of who may, and for nothing else', async () => {
    const visitor = new LabVisitor(berth.port);
    expect((await visitor.logIn(mia, app)).status).toBe(200);
    await request(pb, 'workspace', lab.id, 'stop');
    await reaches(pb, { collection: 'workspaces', id: lab.id, status: 'stopped' });
    const page = await browser.open(app, '/notebook');
    expect([page.status, page.text.includes('does not run'), page.text.includes('Start the workspace')]).toEqual([
      503,
      true,
      true,
    ]);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const seen = await visitor.open(app);
    expect([seen.status, seen.text.includes('Start the workspace')]).toEqual([503, false]);
    const click = { 'sec-fetch-site': 'same-origin', 'sec-fetch-user': '?1' };
    const start = (by: LabVisitor, headers: Record<string, string>) =>
      by.open(app, '/.berth/start', { method: 'POST', headers });
    expect((await start(browser, { 'sec-fetch-site': 'same-origin' })).status).toBe(403);
    expect((await start(browser, { ...click, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await start(visitor, click)).status).toBe(409);
    expect((await pb.collection('workspaces').getOne(lab.id)).status).toBe('stopped');
    const started = await start(browser, click);
    expect([started.status, started.headers.location]).toEqual([303, `http://${app}:${berth.port}/`]);
    await eventually('the page opens the lab', async () => (await browser.open(app)).text.includes('The lab'));
    await agent.stop();
    const away = await browser.open(app);
    expect([away.status, away.text.includes('offline')]).toEqual([503, true]);
  }, 60_000);
});
