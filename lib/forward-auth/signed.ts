import 'server-only';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { keyFor } from '@/lib/secrets';

/** What a signed text is for: each has a key of its own, so that none can stand in for another. */
type Purpose = 'state' | 'return' | 'access';

function signatureOf(purpose: Purpose, payload: string): string {
  return createHmac('sha256', keyFor(`forward-auth:${purpose}`))
    .update(payload)
    .digest('base64url');
}

/** The value as a text that a browser carries: readable by anyone, made by this console alone. */
export function signText(purpose: Purpose, value: object): string {
  const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${payload}.${signatureOf(purpose, payload)}`;
}

/** What `signText` was given for the same purpose; undefined for any other text. */
export function readSigned(purpose: Purpose, text: string): unknown {
  const [payload = '', signature = '', ...more] = text.split('.');
  if (more.length > 0 || !isSameText(signature, signatureOf(purpose, payload))) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

/** Takes as long for any two texts of one length. */
export function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}
