import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleApiServer, startApi, type ApiProcess } from '../setup/api-process';
import { meanwhile } from '../setup/meanwhile';

/** No request of someone without rights keeps others waiting: each attack runs against a console of its own. */
const WAIT_MS = 1500;
const PASSWORD = 'Berth!pass1';

let api: ApiProcess;
let admin: string;
let user: string;

interface Answer {
  status: number;
  json: Record<string, unknown>;
  text: string;
}

async function send(method: string, path: string, call: { as?: string; body?: unknown } = {}): Promise<Answer> {
  const isText = typeof call.body === 'string';
  const response = await fetch(`${api.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(call.as && { authorization: call.as }) },
    body: call.body === undefined ? undefined : isText ? (call.body as string) : JSON.stringify(call.body),
  });
  const text = await response.text();
  return { status: response.status, text, json: (text === '' ? {} : JSON.parse(text)) as Answer['json'] };
}

async function signIn(identity: string): Promise<string> {
  const body = { identity, password: PASSWORD };
  return String((await send('POST', '/api/collections/users/auth-with-password', { body })).json.token);
}

/** The answer, and that others got theirs meanwhile. */
async function attack(method: string, path: string, call: { as?: string; body?: unknown } = {}): Promise<Answer> {
  const { result, longestMs } = await meanwhile(api.url, () => send(method, path, call));
  expect(longestMs).toBeLessThan(WAIT_MS);
  return result;
}

const records = (collection: string) => `/api/collections/${collection}/records`;

const ROWS = 20_000;
/** Much of what ada made, some of it large. */
async function seed(): Promise<void> {
  const { items } = (await send('GET', `${records('users')}?filter=username='ada'`, { as: user })).json as {
    items: { id: string }[];
  };
  const ada = items[0]!.id;
  const db = new Database(path.join(api.dataDir, 'berth.db'));
  const at = '2026-11-20 12:00:00.000Z';
  const file = db.prepare(
    `INSERT INTO files (id, created, updated, name, type, url, created_by) VALUES (?, ?, ?, ?, 'external', ?, ?)`,
  );
  const image = db.prepare(
    `INSERT INTO images (id, created, updated, name, repository, dockerfile, created_by) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const workspace = db.prepare(
    `INSERT INTO workspaces (id, created, updated, name, image, created_by) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const id = (kind: string, at: number) => `${kind}${String(at).padStart(14, '0')}`;
  db.transaction(() => {
    for (let index = 0; index < ROWS; index += 1) {
      file.run(id('f', index), at, at, `file-${index}`, `https://example.org/${'a'.repeat(2000)}${index}`, ada);
    }
    for (let index = 0; index < 100; index += 1) {
      image.run(id('i', index), at, at, `image-${index}`, `r${index}`, 'a'.repeat(250_000), ada);
    }
    for (let index = 0; index < 500; index += 1) {
      workspace.run(id('w', index), at, at, `workspace-${index}`, id('i', 0), ada);
    }
  })();
  db.close();
}

beforeAll(async () => {
  await bundleApiServer();
  api = await startApi({
    env: {
      BERTH_RECORDS_PER_ACCOUNT: '20010',
      BERTH_STORAGE_PER_ACCOUNT_MB: '30',
      BERTH_STREAMS_PER_ADDRESS: '60',
      BERTH_STREAMS_PER_ACCOUNT: '20',
    },
  });
  const person = (username: string) => ({
    username,
    name: username,
    email: `${username}@example.org`,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
  });
  expect((await send('POST', '/api/setup', { body: person('root') })).status).toBe(200);
  admin = await signIn('root');
  expect((await send('POST', records('users'), { as: admin, body: person('ada') })).status).toBe(200);
  user = await signIn('ada');
  await seed();
}, 120_000);
afterAll(() => api.kill('SIGTERM'));

describe('a large body', () => {
  const keys = (bytes: number) =>
    `{${Array.from({ length: bytes / 14 }, (_, at) => `"key${at}":${at % 9}`).join(',')}}`;

  test.each(['files', 'images'])('of very many keys to %s', async (collection) => {
    expect((await attack('POST', records(collection), { as: user, body: keys(31_000_000) })).status).toBe(413);
    const most = keys(collection === 'files' ? 60_000 : 2_000_000);
    expect((await attack('POST', records(collection), { as: user, body: most })).status).toBe(400);
  });

  test.each(['[]', '{}', '{"name":"A"}', '{"x":1,"y":2,"z":3}'])('of very many %s in a list', async (item) => {
    const list = `[${`${item},`.repeat(Math.floor(1_900_000 / (item.length + 1)))}${item}]`;
    for (const body of [
      `{"environmentVariables":${list}}`,
      `{"portMappings":${list},"arguments":${list.slice(0, 9)}]}`,
    ]) {
      const answer = await attack('POST', records('workspaces'), { as: user, body });
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(100_000);
    }
  });

  test('of very many ids', async () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => `id${String(at).padStart(13, '0')}`);
    for (const field of ['networks', 'volumes', 'applied_recommendations', 'host']) {
      const answer = await attack('POST', records('workspaces'), { as: user, body: { [field]: ids } });
      expect(answer.status).toBe(400);
    }
  });

  test('of someone whom nothing can come of is not read', async () => {
    for (const collection of ['users', 'workspaces', 'hosts', 'files']) {
      expect((await attack('POST', records(collection), { body: keys(1_000_000) })).status).toBe(
        collection === 'hosts' ? 403 : 400,
      );
    }
    expect((await attack('POST', records('hosts'), { as: user, body: keys(2_000_000) })).status).toBe(403);
    const { items } = (await send('GET', records('users'), { as: user })).json as { items: { id: string }[] };
    const mine = `${records('users')}/${items[0]!.id}`;
    expect((await attack('PATCH', mine, { body: keys(1_000_000) })).status).toBe(404);
    const topics = { clientId: 'x', subscriptions: Array.from({ length: 900 }, (_, at) => `${at}${'y'.repeat(2000)}`) };
    expect((await attack('POST', '/api/realtime', { body: topics })).status).toBe(400);
  });
});

describe('a long text', () => {
  test.each([
    ['files', 'url', 'https://example.org/'],
    ['files', 'description', ''],
    ['images', 'baseImage', ''],
    ['workspaces', 'command', ''],
  ])('%s.%s', async (collection, field, start) => {
    const body = { name: 'x', type: 'external', [field]: `${start}${'a'.repeat(50_000)}` };
    const { status, json } = await attack('POST', records(collection), { as: user, body });
    expect(status).toBe(400);
    expect((json.data as Record<string, unknown>)[field]).toMatchObject({ code: 'validation_max_text_constraint' });
  });
});

describe('a list that has to look at very much', () => {
  const list = (collection: string, query: Record<string, string>) =>
    attack('GET', `${records(collection)}?${new URLSearchParams(query).toString()}`, { as: user });
  const long = `${'a'.repeat(1500)}b`;

  test.each<[string, Record<string, string>, number[]]>([
    ['a pattern at each place of a text', { filter: `url ~ '${long}'` }, [400, 200]],
    ['the same denied', { filter: `url !~ '${long}'` }, [400, 200]],
    ['a pattern of many wildcards', { filter: `url ~ '${'%a_'.repeat(300)}b%'` }, [400, 200]],
    ['a text in itself', { filter: `url ~ url && name ~ name && url !~ description` }, [400, 200]],
    ['plain comparisons', { filter: Array(60).fill("url != 'x'").join('&&') }, [400, 200]],
    ['many patterns', { filter: Array(50).fill("url !~ 'ab%ba'").join('&&') }, [400, 200]],
    ['a sort by long texts', { sort: '-url,-description,-name' }, [200]],
    ['a page far away', { page: '600', perPage: '30', sort: 'url' }, [200]],
  ])('%s', async (_, query, statuses) => {
    const answers = await Promise.all([1, 2, 3].map((page) => list('files', { page: String(page), ...query })));
    for (const { status } of answers) expect(statuses).toContain(status);
  });

  test('few long texts', async () => {
    for (const filter of [`dockerfile ~ '${long}'`, `dockerfile !~ '${'%a'.repeat(300)}b%'`, "dockerfile ~ 'aab'"]) {
      expect([200, 400]).toContain((await list('images', { filter })).status);
    }
  });

  test('is not answered in a hundred megabytes', async () => {
    for (const [collection, query] of [
      ['workspaces', { perPage: '500', expand: 'image' }],
      ['images', { perPage: '500' }],
      ['workspaces', { perPage: '1', expand: 'image.workspaces_via_image.image' }],
      ['users', { perPage: '1', filter: "username='ada'", expand: 'images_via_created_by,files_via_created_by' }],
    ] as const) {
      const { status, text, json } = await list(collection, query);
      if (status === 200) expect(text.length).toBeLessThan(9_000_000);
      else expect([status, json.message]).toEqual([400, expect.stringMatching(/larger than 8 MB/)]);
    }
  });

  test('has another account’s list wait for none of it', async () => {
    const filters = Array.from({ length: 12 }, (_, at) => `url !~ '${long}${at}'`);
    const mine = Promise.all(filters.map((filter) => list('files', { filter })));
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let turn = 0; turn < 5; turn += 1) {
      const startMs = performance.now();
      const path = `${records('files')}?filter=${encodeURIComponent(`name ~ 'file-${turn}'`)}&perPage=5`;
      expect((await send('GET', path, { as: admin })).status).toBe(200);
      expect(performance.now() - startMs).toBeLessThan(WAIT_MS);
    }
    for (const { status } of await mine) expect([200, 400]).toContain(status);
  }, 60_000);
});

describe('event streams', () => {
  const open: AbortController[] = [];

  afterAll(() => open.forEach((each) => each.abort()));

  /** The status of a new stream, and its id. */
  async function connect(): Promise<{ status: number; id: string }> {
    const abort = new AbortController();
    open.push(abort);
    const { status, body } = await fetch(`${api.url}/api/realtime`, { signal: abort.signal });
    if (status !== 200) return { status, id: '' };
    const { value } = await body!.getReader().read();
    return { status, id: /^id:(\w{40})/.exec(new TextDecoder().decode(value))![1]! };
  }

  const listen = (id: string, subscriptions: string[], as?: string) =>
    send('POST', '/api/realtime', { as, body: { clientId: id, subscriptions } });

  test('of an account and of an address are so many', async () => {
    const mine: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { id } = await connect();
      mine.push(id);
      expect((await listen(id, ['files/*'], user)).status).toBe(204);
    }
    const { id } = await connect();
    expect((await listen(id, ['files/*'], user)).status).toBe(429);
    expect((await listen(id, ['files/*'], admin)).status).toBe(204);
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1) statuses.push((await connect()).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
    open.forEach((each) => each.abort());
    await expect.poll(async () => (await connect()).status).toBe(200);
  });

  test('with very many different topics cost one write little', async () => {
    const ids = await Promise.all([connect(), connect(), connect()]);
    const topic = (at: number) =>
      `workspaces/*?options=${encodeURIComponent(JSON.stringify({ query: { expand: `image.workspaces_via_image,created_by`, fields: `*,x${at}` } }))}`;
    for (const [at, { id }] of ids.entries()) {
      const topics = Array.from({ length: 1000 }, (_, index) => topic(at * 1000 + index));
      expect((await listen(id, topics, user)).status).toBe(204);
    }
    const path = `${records('workspaces')}/w${'0'.repeat(14)}`;
    const answer = await attack('PATCH', path, { as: user, body: { description: 'x' } });
    expect(answer.status, answer.text).toBe(200);
  });
});

describe('what one account may make', () => {
  test('are so many records', async () => {
    const body = (at: number) => ({ name: `more-${at}`, type: 'external', url: 'https://example.org/x' });
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1)
      statuses.push((await send('POST', records('files'), { as: user, body: body(at) })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 400, 400]);
    const { json } = await send('POST', records('files'), { as: user, body: body(99) });
    expect(json.message).toBe('One account may make 20010 files. Delete some first.');
    expect((await send('POST', records('files'), { as: admin, body: body(99) })).status).toBe(200);
  });

  test('is so much on the disk', async () => {
    const upload = async (at: number, as: string) => {
      const form = new FormData();
      form.set('name', `upload-${at}`);
      form.set('type', 'upload');
      form.set('file', new File([new Uint8Array(4_900_000)], 'x.bin'));
      const response = await fetch(`${api.url}${records('files')}`, {
        method: 'POST',
        body: form,
        headers: { authorization: as },
      });
      return { status: response.status, json: (await response.json()) as { message: string } };
    };
    await send('POST', records('users'), {
      as: admin,
      body: { username: 'bob', name: 'Bob', email: 'bob@example.org', password: PASSWORD, passwordConfirm: PASSWORD },
    });
    const bob = await signIn('bob');
    for (let at = 0; at < 6; at += 1) expect((await upload(at, bob)).status).toBe(200);
    const { status, json } = await upload(6, bob);
    expect([status, json.message]).toEqual([
      400,
      'One account may store 30 MB. Delete some of what you have made first.',
    ]);
  });
});
