import 'server-only';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { env } from './env';
import { dropSingleton, singleton } from './singleton';

const SEALED_PREFIX = 'sealed:v1:';

/** The installation's secret is missing, empty or another; the message says what to do. */
export class SecretError extends Error {}

/** A sealed value was changed, or sealed with another secret. */
export class UnsealError extends Error {}

function secretFile(): string {
  return path.join(env().dataDir, 'secret.key');
}

/** Whether there is a secret, without making one. */
export function hasSecret(): boolean {
  return env().secret !== undefined || fs.existsSync(secretFile());
}

/** The installation's secret: BERTH_SECRET, or `secret.key` in the data folder, made at first start and readable by its owner only. */
function masterSecret(): string {
  return singleton('master-secret', () => {
    const { secret } = env();
    if (secret) return secret;
    const file = secretFile();
    if (!fs.existsSync(file)) makeSecret(file);
    const read = fs.readFileSync(file, 'utf8').trim();
    if (read === '') throw new SecretError(`${file} is empty. Put back the one from your copy of the data folder.`);
    return read;
  });
}

/** It appears whole, and is on the disk before anything is sealed with it. */
function makeSecret(file: string): void {
  const folder = path.dirname(file);
  fs.mkdirSync(folder, { recursive: true });
  const fresh = `${file}.${process.pid}`;
  fs.writeFileSync(fresh, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true });
  fs.renameSync(fresh, file);
  const handle = fs.openSync(folder, 'r');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
}

const derivedKeys = singleton('derived-keys', () => new Map<string, Buffer>());

/** A 32-byte key for one purpose, derived from the installation's secret. */
export function keyFor(purpose: string): Buffer {
  let key = derivedKeys.get(purpose);
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', masterSecret(), 'berth', purpose, 32));
    derivedKeys.set(purpose, key);
  }
  return key;
}

/** What tells a secret from another and nothing of the secret: kept beside what is sealed with it. */
export function proofOf(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, 'berth', 'proof', 32)).toString('base64url');
}

export function secretProof(): string {
  return proofOf(masterSecret());
}

/** Reads the installation's secret anew on the next use: a restore may have brought another. */
export function forgetSecrets(): void {
  dropSingleton('master-secret');
  derivedKeys.clear();
}

/** Encrypts a text for the database (AES-256-GCM). The empty text stays empty. */
export function seal(text: string): string {
  if (text === '') return '';
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return SEALED_PREFIX + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts what `seal` made; other text is returned as it is. Throws an UnsealError. */
export function open(sealed: string): string {
  if (!sealed.startsWith(SEALED_PREFIX)) return sealed;
  const bytes = Buffer.from(sealed.slice(SEALED_PREFIX.length), 'base64url');
  const key = keyFor('seal');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new UnsealError('A stored secret value can not be read', { cause });
  }
}

/** The same, undefined for a value that can't be read. */
export function tryOpen(sealed: string): string | undefined {
  try {
    return open(sealed);
  } catch (error) {
    if (error instanceof UnsealError) return undefined;
    throw error;
  }
}
