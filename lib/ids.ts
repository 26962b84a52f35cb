import { randomBytes } from 'node:crypto';

const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Without letters that look like another. */
const READABLE = '0123456789abcdefghjkmnpqrstvwxyz';
const MIXED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `length` random characters of `alphabet`, without modulo bias. */
function randomText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** A record id: 15 characters of a-z0-9. */
export function newId(): string {
  return randomText(LOWER, 15);
}

/** A random letters-and-digits secret of the given length. */
export function newSecret(length: number): string {
  return randomText(MIXED, length);
}

/** Random text that people copy by hand. */
export function newReadableText(length: number): string {
  return randomText(READABLE, length);
}
