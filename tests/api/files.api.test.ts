import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { users } from '@/lib/accounts/collection';
import { env } from '@/lib/env';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createPerson } from '../setup/world';

openPrivateDatabase();

let person: { id: string };
let png: Buffer;

beforeAll(async () => {
  person = await createPerson();
  png = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
});

function upload(bytes: Buffer, name: string, extra: Record<string, string> = {}) {
  const body = new FormData();
  body.set('avatar', new File([new Uint8Array(bytes)], name));
  for (const [key, value] of Object.entries(extra)) body.set(key, value);
  return call('PATCH', `/api/collections/users/records/${person.id}`, { as: person, body });
}

function onDisk(): string[] {
  const folder = path.join(env().dataDir, 'storage', users.id, person.id);
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
}

test('stores a picture under a name of its own and serves it', async () => {
  const answer = await upload(png, '../../My Picture.png', { name: 'null' });
  expect(answer.status).toBe(200);
  expect(answer.json.name).toBe('null');
  const name = String(answer.json.avatar);
  expect(name).toMatch(/^my_picture_[A-Za-z0-9]{10}\.png$/);
  expect(onDisk()).toEqual([name]);
  const url = `/api/files/users/${person.id}/${name}`;
  const whole = await send(url);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `inline; filename=${name}`,
    'content-length': String(png.length),
    'cache-control': 'max-age=2592000, stale-while-revalidate=86400',
  });
  expect(whole.headers.has('x-frame-options')).toBe(false);
  expect(Buffer.from(await whole.arrayBuffer()).equals(png)).toBe(true);
  const part = await send(url, { headers: { range: 'bytes=-3' } });
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 3]);
  expect((await send(url, { headers: { range: 'bytes=999999-' } })).status).toBe(416);
  expect(
    (await send(url, { headers: { 'if-modified-since': new Date(Date.now() + 5000).toUTCString() } })).status,
  ).toBe(304);
  expect((await send(`${url}?download=1`)).headers.get('content-disposition')).toContain('attachment');
  const thumb = await sharp(Buffer.from(await (await send(`${url}?thumb=300x300`)).arrayBuffer())).metadata();
  expect([thumb.width, thumb.height]).toEqual([300, 300]);
  const unknownSize = await sharp(Buffer.from(await (await send(`${url}?thumb=301x300`)).arrayBuffer())).metadata();
  expect(unknownSize.width).toBe(600);
});

test('replaces the file and its thumbnails, and drops it on null', async () => {
  const first = String((await upload(png, 'a.png')).json.avatar);
  expect(first).toMatch(/^a[A-Za-z0-9]{10}_[A-Za-z0-9]{10}\.png$/);
  const second = String((await upload(png, 'b.png')).json.avatar);
  await expect.poll(onDisk).toEqual([second]);
  expect((await send(`/api/files/users/${person.id}/${first}`)).status).toBe(404);
  await call('PATCH', `/api/collections/users/records/${person.id}`, { as: person, body: { avatar: null } });
  await expect.poll(onDisk).toEqual([]);
});

test('refuses by content and size, and leaves nothing behind', async () => {
  const fake = await upload(Buffer.from('<svg onload="x()"/>'), 'a.png');
  expect(fake.json.data).toMatchObject({ avatar: { code: 'validation_invalid_mime_type' } });
  const big = await upload(Buffer.alloc(5_242_881), 'big.png');
  expect(big.json.data).toMatchObject({
    avatar: {
      code: 'validation_file_size_limit',
      message: 'Failed to upload "big.png" - the maximum allowed file size is 5242880 bytes.',
    },
  });
  const failed = await upload(png, 'a.png', { isAdmin: 'true' });
  expect(failed.status).toBe(400);
  const unknown = await call('PATCH', `/api/collections/users/records/${person.id}`, {
    as: person,
    body: { avatar: '../../berth.db' },
  });
  expect(unknown.json.data).toMatchObject({ avatar: { code: 'validation_unknown_filenames' } });
  expect(onDisk()).toEqual([]);
});

test('gives file tokens to the signed in', async () => {
  expect((await call('POST', '/api/files/token', { as: person })).json.token).toEqual(expect.any(String));
  expect((await call('POST', '/api/files/token')).json.message).toBe('Failed to generate file token.');
});
