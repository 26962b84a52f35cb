import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createPacker, isPackable, pickEncoding } from './encoding';

it.each([
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZIP, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=none', undefined],
  ['deflate, zstd', undefined],
])('answers "%s" in %s', (accepted, encoding) => expect(pickEncoding(accepted)).toBe(encoding));

const json = { 'content-type': 'application/json; charset=utf-8' };
it.each([
  [200, json, true],
  [400, json, true],
  [200, { 'content-type': 'text/csv' }, true],
  [200, { 'content-type': 'application/problem+json' }, true],
  [200, { 'content-type': 'text/event-stream; charset=utf-8' }, false],
  [200, { 'content-type': 'image/png' }, false],
  [200, { 'content-type': 'application/zip' }, false],
  [200, { ...json, 'cache-control': 'no-store, no-transform' }, false],
  [200, { ...json, 'content-encoding': 'gzip' }, false],
  [200, { ...json, etag: '"1"' }, false],
  [206, json, false],
  [304, json, false],
  [200, {}, false],
])('for %i with %j it is said that it may be packed: %s', (status, headers, isIt) => {
  expect(isPackable(status, headers)).toBe(isIt);
});

const limits = { maxSize: 20_000, maxChars: 9000, maxAtOnce: 2 };
const textOf = (mark: string, chars = 4000) => JSON.stringify({ mark, rest: 'abc '.repeat(chars / 4) });

it('packs a text once for as long as it is kept, and the way that is asked for', async () => {
  const packer = createPacker(limits);
  const text = textOf('a');
  const [first, second] = await Promise.all([packer.pack('br', text), packer.pack('br', textOf('a'))]);
  expect(second).toBe(first);
  expect(brotliDecompressSync(first!).toString()).toBe(text);
  expect(gunzipSync((await packer.pack('gzip', text))!).toString()).toBe(text);
});

it('leaves small texts alone, and those that come while too many are being packed', async () => {
  const packer = createPacker(limits);
  expect(packer.pack('br', 'x'.repeat(1000))).toBeUndefined();
  const under = [packer.pack('br', textOf('a')), packer.pack('gzip', textOf('b'))];
  expect(packer.pack('br', textOf('c'))).toBeUndefined();
  await Promise.all(under);
  expect(packer.pack('br', textOf('c'))).toBeDefined();
});

it('keeps no more than its limit, and no text that is too large', async () => {
  const packer = createPacker(limits);
  const oldest = await packer.pack('br', textOf('0'));
  for (let index = 1; index < 30; index += 1) {
    await packer.pack(index % 2 ? 'br' : 'gzip', textOf(String(index)));
    expect(packer.sizeNow()).toBeLessThanOrEqual(limits.maxSize);
  }
  expect(await packer.pack('br', textOf('0'))).not.toBe(oldest);
  const sizeBefore = packer.sizeNow();
  const large = await packer.pack('br', textOf('large', 12_000));
  expect(brotliDecompressSync(large!).length).toBeGreaterThan(12_000);
  expect(packer.sizeNow()).toBe(sizeBefore);
});
