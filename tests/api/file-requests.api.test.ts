import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { files } from '@/lib/files/collection';
import { users } from '@/lib/accounts/collection';
import { env } from '@/lib/env';
import { makePng } from '../setup/bombs';
import { authorizationOf, call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createPerson } from '../setup/world';

openPrivateDatabase();

let person: { id: string };
const png = makePng(64, 64);
const size = png.length;

beforeAll(async () => {
  person = await createPerson();
});

/** An upload as bytes on the wire: a form would clean the name up. */
async function upload(name: string, { field = 'avatar', collection = 'users', values = {} } = {}) {
  const parts = Object.entries(values).map(([key, value]) => [`name="${key}"`, Buffer.from(String(value))] as const);
  const file = [`name="${field}"; filename="${name}"\r\nContent-Type: text/html`, png] as const;
  const body = Buffer.concat([
    ...[...parts, file].flatMap(([head, content]) => [
      Buffer.from(`--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--x--\r\n'),
  ]);
  const isUser = collection === 'users';
  const response = await send(`/api/collections/${collection}/records${isUser ? `/${person.id}` : ''}`, {
    method: isUser ? 'PATCH' : 'POST',
    headers: { ...authorizationOf(person.id), 'content-type': 'multipart/form-data; boundary=x' },
    body: new Uint8Array(body),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

async function addressOf(name = 'picture.png'): Promise<string> {
  return `/api/files/users/${person.id}/${encodeURIComponent(String((await upload(name)).json.avatar))}`;
}

/** Every file under the data folder. */
const onDisk = (): string[] =>
  fs
    .readdirSync(env().dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(env().dataDir, path.join(entry.parentPath, entry.name)));

describe('a name that is a trick', () => {
  const tricks = [
    '../../../../etc/passwd',
    '..\\..\\..\\windows\\system32\\x.png',
    '/absolute.png',
    'C:\\absolute.png',
    '....//....//x.png',
    '..',
    '.',
    '',
    '.htaccess',
    'x\u0000.png',
    'a/\u0000/b.png',
    '\u202egnp.exe',
    '․․/․․/x.png',
    '．．／x.png',
    '%2e%2e%2fx.png',
    'CON',
    'con.png',
    'NUL.png',
    'x.png.',
    'x.png ',
    'x.png::$DATA',
    'x'.repeat(4096),
    `${'x'.repeat(4096)}.png`,
    `x.${'y'.repeat(4096)}`,
    'ü'.repeat(2000),
    'thumbs_x.png',
    'a;filename=b.png',
    "a'b`c$(d).png",
    '-rf.png',
    '💣.png',
  ];

  test.each(tricks.map((name) => [name.length > 60 ? `${name.slice(0, 20)}… of ${name.length}` : name, name]))(
    'is cleaned: %j',
    async (_, name) => {
      const { status, json } = await upload(name);
      const elsewhere = onDisk().filter((file) => !file.startsWith(`storage/${users.id}/${person.id}/`));
      expect(elsewhere.filter((file) => !/^berth\.db(-wal|-shm)?$/.test(file))).toEqual([]);
      // A part whose file has no name is a value, and no stored file has it.
      if (status !== 200) return expect([status, json.code]).toEqual([400, 400]);
      const stored = String(json.avatar);
      if (stored === '') return;
      expect(stored).toMatch(/^[A-Za-z0-9]\w*_[A-Za-z0-9]{10}[\w.*+=#-]{0,21}$/);
      expect(stored.length).toBeLessThan(140);
      expect(fs.readFileSync(path.join(env().dataDir, 'storage', users.id, person.id, stored)).equals(png)).toBe(true);
      const response = await send(`/api/files/users/${person.id}/${encodeURIComponent(stored)}`);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
      await response.arrayBuffer();
    },
  );

  test('is cleaned where any file may come, and keeps what it says of its type to itself', async () => {
    const values = { name: 'trick', type: 'upload', content_type: 'text/html' };
    const { json } = await upload('../../x.html', { field: 'file', collection: 'files', values });
    expect(json).toMatchObject({ content_type: 'image/png', size });
    expect(json.file).toMatch(/^x\w{10}_\w{10}\.html$/);
    const { json: given } = await call('POST', '/api/files/token', { as: person });
    const address = `/api/files/files/${String(json.id)}/${String(json.file)}?token=${String(given.token)}`;
    const response = await send(address);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toMatch(/^private, /);
    await response.arrayBuffer();
    expect(onDisk().filter((file) => file.startsWith(`storage/${files.id}`))).toHaveLength(1);
  });
});

describe('a range', () => {
  test.each<[string, number, string | null]>([
    ['bytes=0-', 206, `bytes 0-${size - 1}/${size}`],
    ['bytes=0-0', 206, `bytes 0-0/${size}`],
    ['bytes=5-9', 206, `bytes 5-9/${size}`],
    ['bytes=-3', 206, `bytes ${size - 3}-${size - 1}/${size}`],
    [`bytes=-${size * 2}`, 206, `bytes 0-${size - 1}/${size}`],
    [`bytes=${size - 1}-`, 206, `bytes ${size - 1}-${size - 1}/${size}`],
    ['bytes=5-99999999999999999999999', 206, `bytes 5-${size - 1}/${size}`],
    [`bytes=${size}-`, 416, `bytes */${size}`],
    ['bytes=99999999999999999999999-', 416, `bytes */${size}`],
    ['bytes=9-5', 416, `bytes */${size}`],
    ['bytes=-0', 416, `bytes */${size}`],
    ['bytes=-', 200, null],
    ['bytes=0-1,3-4', 200, null],
    ['bytes=a-b', 200, null],
    ['bytes= 0-1', 200, null],
    ['bytes=0x1-5', 200, null],
    ['pages=1-2', 200, null],
    ['', 200, null],
  ])('%j answers %d', async (range, status, contentRange) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await send(await addressOf(), { method, headers: { range } });
      const body = Buffer.from(await response.arrayBuffer());
      expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange]);
      const [, first, last] = /bytes (\d+)-(\d+)/.exec(contentRange ?? '') ?? [];
      const part = first === undefined ? png : png.subarray(Number(first), Number(last) + 1);
      if (status !== 416) expect(response.headers.get('content-length')).toBe(String(part.length));
      expect(body.equals(method === 'HEAD' || status === 416 ? Buffer.alloc(0) : part)).toBe(true);
    }
  });

  test('is given while the file is the one it was begun with', async () => {
    const address = await addressOf();
    const whole = await send(address, { method: 'HEAD' });
    const modified = whole.headers.get('last-modified')!;
    const older = new Date(Date.parse(modified) - 1000).toUTCString();
    const newer = new Date(Date.parse(modified) + 1000).toUTCString();
    for (const [ifRange, status] of [
      [modified, 206],
      [older, 200],
      [newer, 200],
      ['"a-tag"', 200],
      ['nonsense', 200],
    ] as const) {
      const response = await send(address, { headers: { range: 'bytes=0-1', 'if-range': ifRange } });
      await response.arrayBuffer();
      expect([ifRange, response.status]).toEqual([ifRange, status]);
    }
  });
});

describe('a condition', () => {
  const day = 86_400_000;
  test.each<[string, () => Record<string, string>, number]>([
    ['not changed since', () => ({ 'if-modified-since': new Date(Date.now() + day).toUTCString() }), 304],
    ['changed since', () => ({ 'if-modified-since': new Date(Date.now() - day).toUTCString() }), 200],
    ['that is no date', () => ({ 'if-modified-since': 'yesterday' }), 200],
    [
      'not changed since, with a range',
      () => ({ 'if-modified-since': new Date(Date.now() + day).toUTCString(), range: 'bytes=0-1' }),
      304,
    ],
    [
      'not changed since, but of another tag',
      () => ({ 'if-modified-since': new Date(Date.now() + day).toUTCString(), 'if-none-match': '"other"' }),
      200,
    ],
  ])('%s', async (_, headers, status) => {
    const address = await addressOf();
    for (const method of ['GET', 'HEAD']) {
      const response = await send(address, { method, headers: headers() });
      const { byteLength } = await response.arrayBuffer();
      expect([response.status, byteLength]).toEqual([status, status === 200 && method === 'GET' ? size : 0]);
    }
  });

  test('on a thumbnail goes by the thumbnail', async () => {
    const address = `${await addressOf()}?thumb=100x100`;
    const modified = (await send(address, { method: 'HEAD' })).headers.get('last-modified')!;
    expect((await send(address, { headers: { 'if-modified-since': modified } })).status).toBe(304);
  });
});

test('HEAD tells what GET would, without the file; of a missing one nothing', async () => {
  const address = await addressOf();
  const [head, get] = [await send(address, { method: 'HEAD' }), await send(address)];
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
  expect([(await head.arrayBuffer()).byteLength, (await get.arrayBuffer()).byteLength]).toEqual([0, size]);
  const none = await send(`${address}x`, { method: 'HEAD' });
  expect([none.status, (await none.arrayBuffer()).byteLength]).toEqual([404, 0]);
});
