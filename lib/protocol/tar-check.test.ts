import { type Header, pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { TarCheck, type TarOptions } from './tar-check';

type Entry = Partial<Header> & { name: string; content?: string };

async function tarOf(entries: Entry[]): Promise<Buffer> {
  const archive = pack();
  for (const { content = '', ...header } of entries) archive.entry(header, content);
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

/** What is let on of a tar that comes in parts of a size. */
function passed(tar: Buffer, options: TarOptions = {}, step = tar.length) {
  const check = new TarCheck(options);
  const out: Buffer[] = [];
  for (let at = 0; at < tar.length; at += step) out.push(...check.push(tar.subarray(at, at + step)));
  out.push(check.end());
  return { check, bytes: Buffer.concat(out) };
}

/** The first head with another text at a place, and the sum that goes with it. */
function withField(tar: Buffer, at: number, text: string): Buffer {
  const changed = Buffer.from(tar);
  changed.write(text, at, 'latin1');
  changed.fill(32, 148, 156);
  const sum = changed.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return changed;
}

const LONG = `${'folder/'.repeat(40)}file`;
const GOOD: Entry[] = [
  { name: './', type: 'directory', mode: 0o2771, uid: 33, gid: 34, mtime: new Date(1_000_000_000_000) },
  { name: './a', content: 'x'.repeat(1000) },
  { name: LONG, content: 'long' },
  { name: 'grüße', content: 'y' },
  { name: 'link', type: 'symlink', linkname: '/anywhere' },
  { name: 'twin', type: 'link', linkname: 'a' },
  { name: 'pipe', type: 'fifo' },
];

describe('a tar', () => {
  it.each([1, 7, 511, 512, 513, 100_000])('passes byte for byte, in parts of %i', async (step) => {
    const tar = await tarOf(GOOD);
    const { check, bytes } = passed(tar, {}, step);
    expect(bytes.equals(tar)).toBe(true);
    expect(check).toMatchObject({ entries: 7, leftOut: 0, bytes: tar.length });
    expect(check.root).toEqual({ mode: 0o2771, uid: 33, gid: 34, mtime: 1_000_000_000 });
  });

  it('loses its devices, where that is asked for, and what follows its end', async () => {
    const device: Entry = { name: `${LONG}-null`, type: 'character-device', devmajor: 1, devminor: 3 };
    const { check, bytes } = passed(Buffer.concat([await tarOf([GOOD[1]!, device, GOOD[3]!]), Buffer.alloc(9000, 7)]), {
      leaveOutDevices: true,
    });
    expect(bytes.equals(await tarOf([GOOD[1]!, GOOD[3]!]))).toBe(true);
    expect(check.leftOut).toBe(1);
  });

  it('keeps links aside that climb out, where that is asked for', async () => {
    const links: Entry[] = [
      { name: 'a/in', type: 'symlink', linkname: '../b' },
      { name: 'a/out', type: 'symlink', linkname: '../../b', uid: 5, gid: 6, mtime: new Date(7000) },
    ];
    const { check, bytes } = passed(await tarOf(links), { keepClimbing: true });
    expect(bytes.equals(await tarOf(links.slice(0, 1)))).toBe(true);
    expect(check.climbing).toEqual([{ name: 'a/out', target: '../../b', uid: 5, gid: 6, mtime: 7 }]);
    await expect(
      tarOf([...links, { name: 'a/out/x', content: 'x' }]).then((tar) => passed(tar, { keepClimbing: true })),
    ).rejects.toThrow('through a link');
  });

  it.each([
    ['absolute', [{ name: '/a' }]],
    ['absolute', [{ name: `/${LONG}` }]],
    ['leads out', [{ name: 'a/../../b' }]],
    ['leads out', [{ name: `../${LONG}` }]],
    ['absolute', [{ name: 'a', type: 'link', linkname: '/etc/passwd' }]],
    ['leads out', [{ name: 'a', type: 'link', linkname: '../x' }]],
    ['through a link', [{ name: 'l', type: 'symlink', linkname: 'x' }, { name: './l//b' }]],
    [
      'through a link',
      [
        { name: 'l', type: 'symlink', linkname: 'x' },
        { name: 'h', type: 'link', linkname: 'l/b' },
      ],
    ],
    ['device', [{ name: 'd', type: 'block-device' }]],
    ['holes', [{ name: 's', pax: { 'GNU.sparse.major': '1' } }]],
    ['too large', [{ name: 's', pax: { size: '99999999999999999999' } }]],
    ['too large', [{ name: 's', pax: { comment: 'x'.repeat(2_000_000) } }]],
    ['own folder', [{ name: '.', content: 'x' }]],
  ] as [string, Entry[]][])('is refused: %s %j', async (words, entries) => {
    const tar = await tarOf(entries);
    expect(() => passed(tar)).toThrow(words);
  });

  it('is refused where its head says another thing than it may', async () => {
    const tar = await tarOf([{ name: 'a', content: 'x' }]);
    const damaged = Buffer.from(tar);
    damaged[3] = 66;
    expect(() => passed(damaged)).toThrow('damaged');
    expect(() => passed(withField(tar, 345, '../..'))).toThrow('leads out');
    expect(() => passed(withField(withField(tar, 257, 'ustar  \0'), 345, '../..'))).toThrow('damaged');
    expect(() => passed(withField(tar, 156, 'S'))).toThrow('kind');
    expect(() => passed(withField(tar, 124, '77777777777'))).toThrow('broke off');
    expect(() => passed(withField(tar, 124, '\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff'))).toThrow('too large');
    for (const length of [0, 100, 512, 1024])
      expect(() => passed(tar.subarray(0, length), {}, 64)).toThrow('broke off');
  });
});
