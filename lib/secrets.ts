import 'server-only';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { env } from './env';
import { dropSingleton, singleton } from './singleton';

const SEALED_PREFIX = 'sealed:v1:';

/** The installation's secret: BERTH_SECRET, or `secret.key` in the data folder, made at first start and readable by its owner only. */
function masterSecret(): string {
  return singleton('master-secret', () => {
    const { secret, dataDir } = env();
    if (secret) return secret;
    const file = path.join(dataDir, 'secret.key');
    fs.mkdirSync(dataDir, { recursive: true });
    try {
      fs.writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return fs.readFileSync(file, 'utf8').trim();
  });
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

/** Decrypts what `seal` made; other text is returned as it is. Throws when the data was changed or the secret is another. */
export function open(sealed: string): string {
  if (!sealed.startsWith(SEALED_PREFIX)) return sealed;
  const bytes = Buffer.from(sealed.slice(SEALED_PREFIX.length), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyFor('seal'), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
