/** What a tar may not hold, or that it is none; for people. */
export class TarError extends Error {
  override name = 'TarError';
}

export const BLOCK = 512;

export interface TarRoot {
  uid: number;
  gid: number;
  mode: number;
  /** Seconds since the Unix epoch. */
  mtime: number;
}

/** What stands in a head of its own, before the one that it is about. */
export interface Meta {
  path?: string | undefined;
  link?: string | undefined;
  size?: number | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
  mtime?: number | undefined;
}

export interface Entry {
  type: string;
  name: string;
  linkName: string;
  size: number;
}

export function requireChecksum(head: Buffer): void {
  let sum = 0;
  for (let at = 0; at < BLOCK; at += 1) sum += at >= 148 && at < 156 ? 32 : head[at]!;
  if (sum !== readNumber(head, 148, 8)) throw new TarError('This is no tar, or a damaged one.');
}

export function readEntry(head: Buffer, type: string, meta: Meta): Entry {
  const magic = head.toString('latin1', 257, 263);
  const prefix = magic === 'ustar\0' ? cut(head.toString('latin1', 345, 500)) : '';
  // Old GNU tars keep times there; anything else would be another name to another reader.
  if (magic === 'ustar ' && !/^[0-7 \0]*$/.test(head.toString('latin1', 345, 369))) {
    throw new TarError('This is no tar, or a damaged one.');
  }
  const own = cut(head.toString('latin1', 0, 100));
  const name = meta.path ?? (prefix === '' ? own : `${prefix}/${own}`);
  const linkName = meta.link ?? cut(head.toString('latin1', 157, 257));
  return { type, name, linkName, size: meta.size ?? readNumber(head, 124, 12) };
}

export function readRoot(head: Buffer, meta: Meta): TarRoot {
  return {
    uid: meta.uid ?? readNumber(head, 108, 8),
    gid: meta.gid ?? readNumber(head, 116, 8),
    mode: readNumber(head, 100, 8) % 0o10000,
    mtime: meta.mtime ?? readNumber(head, 136, 12),
  };
}

export function cut(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** Octal, or as GNU writes what is too large for that. */
export function readNumber(head: Buffer, at: number, length: number): number {
  const first = head[at]!;
  if (first >= 0x80) {
    let value = first === 0xff ? NaN : first & 0x7f;
    for (const byte of head.subarray(at + 1, at + length)) value = value * 256 + byte;
    if (Number.isSafeInteger(value)) return value;
    throw new TarError('A number in the tar is too large.');
  }
  const text = cut(head.toString('latin1', at, at + length)).trim();
  if (text === '') return 0;
  if (!/^[0-7]+$/.test(text)) throw new TarError('This is no tar, or a damaged one.');
  return Number.parseInt(text, 8);
}

/** `<length> <key>=<value>\n`, one after another. */
export function readPax(text: string): Meta {
  const meta: Meta = {};
  let at = 0;
  while (at < text.length) {
    const space = text.indexOf(' ', at);
    const length = Number(text.slice(at, space));
    const record = text.slice(space + 1, at + length - 1);
    const equals = record.indexOf('=');
    const isWhole = space > at && Number.isInteger(length) && text[at + length - 1] === '\n' && equals > 0;
    if (!isWhole || at + length <= space) throw new TarError('This is no tar, or a damaged one.');
    takeRecord(meta, record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return meta;
}

function takeRecord(meta: Meta, key: string, value: string): void {
  if (key.startsWith('GNU.sparse.')) throw new TarError('The tar has files with holes, which can’t be restored.');
  if (key === 'path') meta.path = value;
  if (key === 'linkpath') meta.link = value;
  if (key === 'mtime') meta.mtime = Number(value) || 0;
  if (key !== 'size' && key !== 'uid' && key !== 'gid') return;
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) throw new TarError('A number in the tar is too large.');
  meta[key] = number;
}
