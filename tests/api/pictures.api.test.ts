import { monitorEventLoopDelay } from 'node:perf_hooks';
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import yazl from 'yazl';
import { users } from '@/lib/accounts/collection';
import { setClock } from '@/lib/clock';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { entitySvg, makeGif, makePng, makeWebp } from '../setup/bombs';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';
import { createPerson } from '../setup/world';

openPrivateDatabase();

let person: { id: string };
let jpeg: Buffer;
const noise = (side: number): Promise<Buffer> =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 99, sigma: 9 },
    },
  })
    .jpeg()
    .toBuffer();

beforeAll(async () => {
  person = await createPerson();
  jpeg = await noise(600);
});

async function upload(bytes: Buffer, name: string, as = person) {
  const body = new FormData();
  body.set('avatar', new File([new Uint8Array(bytes)], name));
  return call('PATCH', `/api/collections/users/records/${as.id}`, { as, body });
}

async function addressOf(bytes: Buffer, name: string, as = person): Promise<string> {
  const { json } = await upload(bytes, name, as);
  expect(json.avatar).toEqual(expect.any(String));
  return `/api/files/users/${as.id}/${String(json.avatar)}`;
}

async function thumbOf(address: string): Promise<Buffer> {
  const response = await send(`${address}?thumb=100x100`);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Runs work and says how long it took, how long the event loop stood still, and what memory came on top. */
async function measure(work: () => Promise<unknown>): Promise<{ ms: number; stillMs: number; addedMb: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
  delay.enable();
  const start = performance.now();
  try {
    await work();
  } finally {
    delay.disable();
    clearInterval(watch);
  }
  return { ms: performance.now() - start, stillMs: delay.max / 1e6, addedMb: (most - before) / 2 ** 20 };
}

describe('a picture that is a bomb is stored and shown quickly', () => {
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['a PNG of 30000×30000 without pixels', 'bomb.png', () => makePng(30_000, 30_000, { isWhole: false })],
    ['a whole PNG of 30000×30000', 'bomb.png', () => makePng(30_000, 30_000)],
    ['a PNG of the largest size', 'bomb.png', () => makePng(0x7fffffff, 0x7fffffff, { isWhole: false })],
    ['a WebP of the largest size', 'bomb.webp', () => makeWebp()],
    ['a JPEG that ends early', 'cut.jpg', () => jpeg.subarray(0, jpeg.length / 2)],
    ['a JPEG that is only a head', 'cut.jpg', () => jpeg.subarray(0, 30)],
    ['a PNG with a broken checksum', 'broken.png', () => makePng(300, 300).fill(7, 40, 50)],
  ])('%s', async (_, name, make) => {
    const bytes = await make();
    const address = await addressOf(bytes, name);
    let shown: Buffer = Buffer.alloc(0);
    const { ms, stillMs, addedMb } = await measure(async () => {
      shown = await thumbOf(address);
    });
    expect(shown.equals(bytes)).toBe(true);
    expect(ms).toBeLessThan(2000);
    expect(stillMs).toBeLessThan(100);
    expect(addedMb).toBeLessThan(200);
  });

  test.each([
    ['thousands of frames', 500, 20_000],
    ['the largest size', 65_535, 1],
  ])('a GIF of %s is scaled by its first frame', async (_, side, frames) => {
    const address = await addressOf(makeGif(side, side, frames), 'many.gif');
    let shown: Buffer = Buffer.alloc(0);
    const { ms, addedMb } = await measure(async () => {
      shown = await thumbOf(address);
    });
    const { width, height, pages = 1 } = await sharp(shown).metadata();
    expect([width, height, pages]).toEqual([100, 100, 1]);
    expect(ms).toBeLessThan(3000);
    expect(addedMb).toBeLessThan(200);
  });

  test('an APNG of thousands of frames', async () => {
    const bytes = makePng(500, 500, { frames: 60_000 });
    expect((await thumbOf(await addressOf(bytes, 'many.png'))).equals(bytes)).toBe(true);
  });
});

test('many large pictures at once stay in bounds, and each is scaled once', async () => {
  const bytes = makePng(7000, 7000);
  const owners = await Promise.all(Array.from({ length: 12 }, () => createPerson()));
  const addresses: string[] = [];
  for (const owner of owners) addresses.push(await addressOf(bytes, 'large.png', owner));
  const { ms, stillMs, addedMb } = await measure(async () => {
    const shown = await Promise.all([...addresses, ...addresses].map(thumbOf));
    for (const each of shown) expect(each.length).toBeLessThan(bytes.length);
  });
  // Scaling is not done in the event loop: two cores may be busy with it, and more than that.
  expect(stillMs).toBeLessThan(Math.max(100, ms / 4));
  expect(addedMb).toBeLessThan(600);
}, 60_000);

test('a picture that failed is not tried again for ten minutes', async () => {
  const warned = vi.spyOn(log, 'warn').mockImplementation(() => undefined);
  const address = await addressOf(makePng(30_000, 30_000, { isWhole: false }), 'bomb.png');
  await thumbOf(address);
  await thumbOf(address);
  expect(warned).toHaveBeenCalledTimes(1);
  const now = Date.now();
  const restore = setClock(() => now + 601_000);
  await thumbOf(address);
  restore();
  expect(warned).toHaveBeenCalledTimes(2);
  const folder = path.join(env().dataDir, 'storage', users.id, person.id);
  const left = fs.readdirSync(folder, { recursive: true }).map(String);
  expect(left.filter((name) => name.includes('partial'))).toEqual([]);
  warned.mockRestore();
});

describe('a file that lies about its type is refused by what it holds', () => {
  async function zip(): Promise<Buffer> {
    const file = new yazl.ZipFile();
    file.addBuffer(Buffer.alloc(10_000_000), 'zeros');
    file.end();
    return Buffer.from(await new Response(file.outputStream as unknown as ReadableStream).arrayBuffer());
  }

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['a zip', zip],
    ['an SVG with entities', () => entitySvg],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a program', () => Buffer.from('7f454c46020101000000000000000000', 'hex')],
    ['nothing', () => Buffer.alloc(0)],
    ['zeros', () => Buffer.alloc(1_000_000)],
  ])('%s named as a picture', async (_, make) => {
    const bytes = await make();
    const before = everything();
    let answer = { status: 0, json: {} as Record<string, unknown> };
    const { ms } = await measure(async () => {
      answer = await upload(bytes, 'picture.png');
    });
    expect(answer.status).toBe(400);
    expect(answer.json.data).toEqual({
      avatar: expect.objectContaining({ code: 'validation_invalid_mime_type' }) as unknown,
    });
    expect(everything()).toBe(before);
    expect(ms).toBeLessThan(1000);
  });

  test('a picture that is also a page is shown as a picture that can run nothing', async () => {
    const page = Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]);
    for (const name of ['page.html', 'page.jpg.html', 'page.jpg']) {
      const response = await send(await addressOf(page, name));
      expect(Buffer.from(await response.arrayBuffer()).equals(page)).toBe(true);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('content-security-policy')).toContain('sandbox');
    }
  });
});
