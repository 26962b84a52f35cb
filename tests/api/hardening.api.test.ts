import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '@/lib/vocabulary/limits';
import { checkDockerfile } from '@/lib/images/dockerfile';
import { hosts } from '@/lib/hosts/collection';
import { takeHeartbeat } from '@/lib/hosts/link/heartbeat';
import * as clock from '@/lib/clock';
import { serveFetch } from '@/lib/http/fetch-door';
import { log } from '@/lib/log';
import { readableOutlet } from '@/lib/outlet';
import { realtimeHub } from '@/lib/realtime/hub';
import { excerpt } from '@/lib/records/excerpt';
import { parseExpand } from '@/lib/records/expand';
import { StoreReader } from '@/lib/records/transaction';
import { apiKernel } from '@/lib/api/kernel';
import { api, sendApi } from '../setup/api';
import { authorizationOf } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createHost as storeHost, createImage, createPerson } from '../setup/world';
import { createHost as joinHost } from './factories';
import { createCaller } from './kernel-caller';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { makeHeartbeat, type ScriptedAgent } from './scripted-agent';

openPrivateDatabase();

let admin: { id: string };
beforeAll(async () => {
  apiKernel();
  admin = await createPerson({ isAdmin: true });
});
afterAll(() => realtimeHub().closeAll());

const records = '/api/collections/workspaces/records';

describe('names that every object has', () => {
  const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

  test.each(odd)('%s as a key of a call is an unknown field', async (name) => {
    const body = `{"action":"start","${name}":{"x":1}}`;
    const { status, json } = await api('POST', '/api/workspace/x/request', { as: admin, body });
    expect(status).toBe(400);
    if (name !== '__proto__') expect(Object.keys(json.data as object)).toEqual([name]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each(odd)('%s in a list of objects is refused with its name', async (name) => {
    const host = await storeHost();
    const image = await createImage({ build_on: host.id });
    const body = `{"name":"w","host":"${String(host.id)}","image":"${String(image.id)}","${name}":1,"environmentVariables":[{"name":"A","${name}":1}]}`;
    const { status, json } = await api('POST', records, { as: admin, body });
    if (status === 200) expect(json.environmentVariables).toEqual([{ name: 'A', value: '', secret: false }]);
    else expect(JSON.stringify(json.data)).toContain(name);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test.each([...odd, 'constructor.name', '__proto__.x', 'host.__proto__', 'host.constructor'])(
    '%s in a filter, a sort, an expansion and picked fields is no field',
    async (name) => {
      const failed = vi.spyOn(log, 'error');
      const get = (query: string) => api('GET', `${records}?${query}`, { as: admin });
      expect((await get(`filter=${name}='1'`)).status).toBe(400);
      expect((await get(`sort=${name}`)).status).toBe(400);
      expect((await get(`expand=${name},${name}_via_${name}`)).status).toBe(200);
      expect((await get(`fields=items.${name},${name}`)).status).toBe(200);
      expect((await api('GET', `/api/collections/${name}/records`)).status).toBe(404);
      expect(failed).not.toHaveBeenCalled();
      failed.mockRestore();
    },
  );

  test('in multipart they are ignored', async () => {
    const form = new FormData();
    for (const name of odd) form.append(name, 'x');
    form.append('@jsonPayload', '{"__proto__":{"isAdmin":true},"name":"Mara"}');
    const path = `/api/collections/users/records/${admin.id}`;
    expect((await api('PATCH', path, { as: admin, body: form })).json.name).toBe('Mara');
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
  });
});

describe('values that are made to take long', () => {
  const within = <T>(ms: number, work: () => T): T => {
    const start = performance.now();
    const result = work();
    expect(performance.now() - start).toBeLessThan(ms);
    return result;
  };
  const many = (text: string) => text.repeat(Math.floor(limits.dockerfileBytes / text.length));

  test.each(['<', '<script', '<script>', '<script></script ', '<div ', '&amp', '&#x1', '\ufffd', '</script'])(
    'an excerpt of very many %j',
    (text) => {
      within(500, () => excerpt(`${many(text)}a`, { max: 100_000, withDots: true }));
    },
  );

  test('an excerpt reads as before', () => {
    const html = '<p>One &amp; <b>two</b></p><script>if (a < b) {}</script><br/>three < four';
    expect(excerpt(html, { max: 100, withDots: false })).toBe('One & two three < four');
    expect(excerpt('<style>x', { max: 100, withDots: false })).toBe('');
    expect(excerpt('aé', { max: 2, withDots: true })).toBe('a...');
    expect(excerpt('<SCRIPT>x</Script >y', { max: 9, withDots: false })).toBe('y');
  });

  test.each([
    ['continued lines', `FROM a\n${many('RUN a \\\n')}`],
    ['lines without words', `FROM a\nRUN ${many('\\\n')}`],
    ['shifts in shell lines', `FROM a\n${many('RUN echo $((1<<a))\n')}`],
    ['here-documents', `FROM a\n${many('RUN <<E\nE\n')}`],
    ['different here-documents', `FROM a\n${Array.from({ length: 15_000 }, (_, at) => `RUN 1<<b${at}\n`).join('')}`],
    ['blanks', `FROM a\n${many(' ')}x`],
  ])('a Dockerfile of %s', (_, source) => {
    within(700, () => checkDockerfile(source));
  });

  test('an expansion', () => {
    within(100, () => parseExpand(`${'a'.repeat(50_000)}(`));
    expect(Object.keys(parseExpand('builds(image),host'))).toEqual(['builds_via_image', 'host']);
  });

  test.each(['page=99999999999', 'page=9007199254740991&perPage=500', 'perPage=2147483647', 'page=-5'])(
    'a page %s',
    async (query) => {
      const { status, json } = await api('GET', `${records}?${query}`, { as: admin });
      expect(status).toBe(200);
      expect(json.perPage as number).toBeLessThanOrEqual(500);
    },
  );

  test.each([
    'page=99999999999999999999',
    'page=1e3',
    'perPage=NaN',
    `filter=${'('.repeat(1000)}`,
    `sort=${'a,'.repeat(900)}`,
  ])('a query %s is refused', async (query) => {
    expect((await api('GET', `${records}?${query}`, { as: admin })).status).toBe(400);
  });

  test.each(['a guest', 'an admin'])('a multipart body that never ends is refused of %s', async (who) => {
    const head = '--x\r\ncontent-disposition: form-data; name="f"\r\n\r\n';
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const limit = who === 'a guest' ? limits.smallBodyBytes : limits.multipartBodyBytes;
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (sent === 0) controller.enqueue(Buffer.from(head));
        sent += 1;
        if (sent > limit / chunk.length + 4) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const request = new Request('http://berth.test/api/collections/users/records', {
      method: 'POST',
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        ...(who === 'a guest' ? {} : authorizationOf(admin.id)),
      },
      body,
      duplex: 'half',
    } as RequestInit);
    // A guest may create no account, whatever the body holds: it is not read.
    expect((await serveFetch(apiKernel(), request)).status).toBe(who === 'a guest' ? 400 : 413);
    if (who === 'a guest') expect(sent).toBeLessThan(4);
  });
});

describe('what must not be logged', () => {
  test.each([
    ['/api/collections/users/auth-with-password', 'POST'],
    ['/api/collections/users/records', 'POST'],
    ['/api/hosts/join-token', 'POST'],
    ['/api/realtime', 'POST'],
    ['/api/agent/join', 'POST'],
    ['/api/setup', 'POST'],
  ])('a body that can not be read, sent to %s', async (path, method) => {
    const lines: unknown[] = [];
    const spies = (['error', 'warn', 'info'] as const).map((level) =>
      vi.spyOn(log, level).mockImplementation((...args: unknown[]) => void lines.push(...args)),
    );
    const { status, json } = await api(method, path, { as: admin, body: '{"password":Hidden!pass1}' });
    expect(status).toBeGreaterThanOrEqual(400);
    const said = lines.map((line) => {
      const error = (line as { err?: Error }).err;
      return `${JSON.stringify(line)} ${error?.stack ?? ''} ${String(error?.cause ?? '')}`;
    });
    expect(JSON.stringify([json, said])).not.toContain('Hidden');
    spies.forEach((spy) => spy.mockRestore());
  });
});

describe('files', () => {
  test.each(['..%2F..%2Fberth.db', '%2e%2e%2fberth.db', '....//berth.db', 'berth.db%00.png', '..'])(
    'none is found at %s',
    async (name) => {
      for (const id of [admin.id, '..', '%2e%2e%2f%2e%2e']) {
        const response = await sendApi('GET', `/api/files/users/${id}/${name}`);
        expect(response.status).toBe(404);
      }
    },
  );

  test('a name can not add headers or leave its folder', async () => {
    const form = new FormData();
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    form.set('avatar', new File([png], '../../a"\r\nset-cookie: x=1;.p"n\ng'));
    const path = `/api/collections/users/records/${admin.id}`;
    const { json } = await api('PATCH', path, { as: admin, body: form });
    expect(json.avatar).toMatch(/^[\w.*+=#-]+$/);
    const response = await sendApi('GET', `/api/files/users/${admin.id}/${encodeURIComponent(String(json.avatar))}`);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null]);
    expect(response.headers.get('content-disposition')).toBe(`inline; filename=${String(json.avatar)}`);
  });
});

describe('heartbeats', () => {
  let agent: ScriptedAgent;

  test('reach open pages without moving `updated`, at most every five seconds', async () => {
    ({ agent } = await joinHost(createCaller(agentRoutes)));
    const outlet = readableOutlet();
    const client = realtimeHub().connect(outlet);
    realtimeHub().subscribe(client.id, { actor: { kind: 'user', isAdmin: true, ...admin }, names: ['hosts/*'] });
    outlet.stream.read();
    const before = new StoreReader().get(hosts, agent.hostId)!;
    const start = clock.nowMs();
    const time = vi.spyOn(clock, 'nowMs');
    const beatAt = async (ms: number) => {
      time.mockReturnValue(start + ms);
      await takeHeartbeat(agent.hostId, makeHeartbeat(agent.instance));
      const heard = String(outlet.stream.read() ?? '')
        .split('\n\n')
        .filter((frame) => frame.includes('event:hosts'));
      return heard.map((frame) => {
        const { record } = JSON.parse(/data:(.*)/.exec(frame)![1]!) as { record: Record<string, string> };
        expect(record.updated).toBe(before.updated);
        return record.lastHeartbeat;
      });
    };
    expect(await beatAt(1000)).toEqual([]);
    expect(await beatAt(6000)).toEqual([clock.toWireDate(start + 6000)]);
    expect(await beatAt(7000)).toEqual([]);
    expect(await beatAt(10_900)).toEqual([]);
    expect(await beatAt(11_100)).toEqual([clock.toWireDate(start + 11_100)]);
    expect(new StoreReader().get(hosts, agent.hostId)).toMatchObject({
      updated: before.updated,
      lastHeartbeat: clock.toWireDate(start + 11_100),
    });
    time.mockRestore();
    outlet.stream.destroy();
  });
});
