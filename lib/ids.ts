import { randomBytes } from 'node:crypto';

const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Without letters that look like another. */
const READABLE = '0123456789abcdefghjkmnpqrstvwxyz';
const MIXED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let poolAt = 0;

/** One random byte, used once. Asking the system for many at a time is what makes ids cheap. */
function randomByte(): number {
  if (poolAt >= pool.length) {
    pool = randomBytes(POOL_BYTES);
    poolAt = 0;
  }
  const byte = pool[poolAt]!;
  pool[poolAt] = 0;
  poolAt += 1;
  return byte;
}

/** `length` random characters of `alphabet`, without modulo bias. */
function randomText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    const byte = randomByte();
    if (byte < limit) text += alphabet[byte % alphabet.length];
  }
  return text;
}

/** A record id: 15 characters of a-z0-9. */
export function newId(): string {
  return randomText(LOWER, 15);
}

/** A record id that sorts by time, so that an index on it grows at its end: 8 characters of time, 7 at random. */
export function newTimedId(atMs: number): string {
  return atMs.toString(36).padStart(8, '0') + randomText(LOWER, 7);
}

/** A random letters-and-digits secret of the given length. */
export function newSecret(length: number): string {
  return randomText(MIXED, length);
}

/** Random text that people copy by hand. */
export function newReadableText(length: number): string {
  return randomText(READABLE, length);
}
