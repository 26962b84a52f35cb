import http from 'node:http';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { engineIsThere } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { admin, cleanHost, localHost, PASSWORD, setUp, signIn } from '../setup/journey';
import { LabVisitor, sendRaw, startLab } from '../setup/lab';

/** Ports of a real workspace, opened through the console. */
describe.skipIf(!engineIsThere())('a port of a workspace through the console', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let hostId: string;
  let lab: RecordModel;
  let lou: PocketBase;
  let browser: LabVisitor;
  let app: string;

  beforeAll(async () => {
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    hostId = (await localHost(pb)).id;
    lab = await startLab(pb, hostId);
    const person = { username: 'lou', name: 'Lou', email: 'lou@example.org', verified: true };
    await pb.collection('users').create({ ...person, password: PASSWORD, passwordConfirm: PASSWORD });
    lou = await signIn(berth.url, 'lou');
    browser = new LabVisitor(berth.port);
    app = `8888--${lab.id}.localhost`;
    await eventually('the lab answers', async () => (await browser.logIn(pb, app)).status === 200);
  }, 180_000);
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (hostId) await cleanHost(hostId);
  }, 60_000);

  function openSocket(target = '/echo', headers: Record<string, string> = {}): WebSocket {
    return new WebSocket(`ws://127.0.0.1:${berth.port}${target}`, {
      headers: {
        host: `${app}:${berth.port}`,
        origin: `http://${app}:${berth.port}`,
        cookie: browser.cookie(app),
        ...headers,
      },
    });
  }

  const share = (level: string, until = '') =>
    pb.collection('workspaces').update(lab.id, { portShares: [{ port: 8888, level, until }] });

  it('asks a stranger to log in, and tells a program so', async () => {
    const stranger = new LabVisitor(berth.port);
    const page = await stranger.open(app, '/told?x=1');
    expect(page.status).toBe(307);
    expect(page.headers.location).toMatch(/^http:\/\/localhost:\d+\/verify\/?\?state=/);
    const program = await stranger.open(app, '/told', { page: false });
    expect([program.status, program.headers['content-type']]).toEqual([401, 'application/json; charset=utf-8']);
  });

  it('opens the very address, and tells the workspace who comes and nothing that a client says of itself', async () => {
    const headers = {
      'X-Forwarded-User': 'root',
      x_forwarded_user: 'root',
      'X-Real-IP': '6.6.6.6',
      'Remote-User': 'root',
      Connection: 'keep-alive, X-Hop',
      'X-Hop': '1',
      cookie: `${browser.cookie(app)}; berth_session=mine; own=1`,
    };
    const answer = await browser.open(app, '/told?x=%2F..%2F&y=a|b', { headers });
    const told = JSON.parse(answer.text) as { url: string; raw: string[] };
    expect(told.url).toBe('/told?x=%2F..%2F&y=a|b');
    const pairs = told.raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), told.raw[at + 1]!]] : []));
    const all = (name: string) => pairs.filter(([key]) => key === name).map(([, value]) => value);
    expect(all('x-forwarded-user')).toEqual([admin.username]);
    expect(all('host')).toEqual([`${app}:${berth.port}`]);
    expect(all('cookie')).toEqual(['own=1']);
    expect(all('x-forwarded-for')).toEqual(['127.0.0.1']);
    expect([all('x_forwarded_user'), all('x-real-ip'), all('remote-user'), all('x-hop')]).toEqual([[], [], [], []]);
  });

  it('carries uploads, trailers, early answers and what is asked for before the body', async () => {
    const body = Buffer.alloc(20 * 1024 * 1024, 'y');
    expect((await browser.open(app, '/count', { method: 'POST', body, page: false })).text).toMatch(/^20971520 /);
    const chunked = { 'transfer-encoding': 'chunked', trailer: 'x-end' };
    const head = `POST /count HTTP/1.1\r\nHost: ${app}:${berth.port}\r\nCookie: ${browser.cookie(app)}\r\n`;
    const lines = Object.entries(chunked).map((pair) => `${pair.join(': ')}\r\n`);
    const sent = `${head}${lines.join('')}\r\n3\r\nabc\r\n0\r\nx-end: 7\r\n\r\n`;
    expect(await sendRaw(berth.port, sent, 'ba7816bf')).toContain('x-trailers: {"x-end":"7"}');
    const trailing = await browser.open(app, '/trailers');
    expect([trailing.text, trailing.trailers]).toEqual(['body', { 'x-sum': '42' }]);
    expect((await browser.open(app, '/hints')).text).toBe('after hints');
    expect((await browser.open(app, '/told', { method: 'HEAD' })).status).toBe(200);
    const expecting = await sendRaw(berth.port, `${head}Content-Length: 3\r\nExpect: 100-continue\r\n\r\n`, '\r\n\r\n');
    expect(expecting).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    const early = await browser.open(app, '/refuse', { method: 'POST', body: 'abc', page: false });
    expect([early.status, early.text]).toEqual([413, 'too much']);
  }, 60_000);

  it('streams as the reader reads, and ends the other side when one hangs up', async () => {
    const size = 64 * 1024 * 1024;
    const headers = { host: `${app}:${berth.port}`, cookie: browser.cookie(app) };
    const answer = await new Promise<http.IncomingMessage>((resolve) =>
      http.get({ port: berth.port, host: '127.0.0.1', path: `/bytes?size=${size}`, headers, agent: false }, resolve),
    );
    answer.pause();
    const sent = async () => Number((await browser.open(app, '/sent')).text);
    let before = -1;
    await eventually('the workspace waits for its reader', async () => {
      const now = await sent();
      const isSame = now === before && now > 0;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 300));
      return isSame;
    });
    expect(before).toBeLessThan(16 * 1024 * 1024);
    const gone = Number((await browser.open(app, '/gone')).text);
    answer.destroy();
    await eventually('the workspace hears of it', async () => Number((await browser.open(app, '/gone')).text) > gone);
  }, 60_000);

  it('carries WebSockets and events, and ends them when the right is gone', async () => {
    const socket = openSocket();
    const said = new Promise<string>((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
    const upgraded = new Promise<http.IncomingMessage>((resolve) => socket.once('upgrade', resolve));
    socket.once('open', () => socket.send('hello'));
    expect(await said).toBe('hello');
    expect((await upgraded).headers['set-cookie']).toBeUndefined();
    socket.close();
    const refused = openSocket('/other').on('error', () => undefined);
    const status = await new Promise((resolve) =>
      refused.once('unexpected-response', (_request, answer) => resolve([answer.statusCode, answer.headers['x-why']])),
    );
    expect(status).toEqual([403, 'no']);
  });

  it('opens to those who may enter, and closes at once when that is taken', async () => {
    const visitor = new LabVisitor(berth.port);
    await expect(visitor.logIn(lou, app)).rejects.toThrow('You are not authorized');
    const subject = { user: (lou.authStore.model as RecordModel).id, workspace: lab.id, view: true, attach: true };
    const grant = await pb.collection('workspace_permissions').create(subject);
    expect((await visitor.logIn(lou, app)).status).toBe(200);
    const socket = openSocket('/echo', { cookie: visitor.cookie(app) });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await pb.collection('workspace_permissions').delete(grant.id);
    await closed;
    expect((await visitor.open(app)).status).toBe(307);
  });

  it('has levels: its owner alone, everyone who is logged in, anyone until a date', async () => {
    const visitor = new LabVisitor(berth.port);
    await share('signedIn');
    expect((await visitor.logIn(lou, app)).status).toBe(200);
    await share('owner');
    expect((await visitor.open(app)).status).toBe(307);
    expect((await browser.open(app)).status).toBe(200);
    const stranger = new LabVisitor(berth.port);
    await share('public', new Date(Date.now() + 3000).toISOString());
    expect((await stranger.open(app, '/told', { page: false })).text).not.toContain('X-Forwarded-User');
    const socket = openSocket('/echo', { cookie: '' });
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await eventually('the date passes', async () => (await stranger.open(app)).status === 307);
    await closed;
    await pb.collection('workspaces').update(lab.id, { portShares: [] });
    for (const [until, message] of [
      [new Date(Date.now() - 1000).toISOString(), 'The date has passed.'],
      [new Date(Date.now() + 40 * 86_400_000).toISOString(), 'A port is public for 30 days at most.'],
      ['', 'Say until when the port is public.'],
    ] as const) {
      const refused = await share('public', until).catch(
        (error: { response: { data: object } }) => error.response.data,
      );
      expect(JSON.stringify(refused)).toContain(message);
    }
  }, 60_000);

  it('says what is wrong: nothing listens, or the workspace does not run', async () => {
    const other = `9999--${lab.id}.localhost`;
    const silent = await browser.logIn(pb, other);
    expect([silent.status, silent.headers['content-type']]).toEqual([502, 'text/html; charset=utf-8']);
    expect(silent.text).toContain('Nothing answers at port 9999');
    expect(silent.text).toContain('listens at 8888');
    // It may be about to answer.
    expect(silent.headers.refresh).toBe('3');
    const nowhere = await browser.open(`8888--${'a'.repeat(15)}.localhost`);
    expect(nowhere.status).toBe(404);
  });
});
