import 'server-only';
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '@/lib/errors';
import { type Sealed, type Secrets, secretsSchema } from './format';

const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const KEY_BYTES = 32;
const SHORTEST = 12;

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** Seals secret values with a passphrase. Throws AppError `invalid` for one that is too short. */
export async function sealSecrets(secrets: Secrets, passphrase: string): Promise<Sealed> {
  if (passphrase.length < SHORTEST) {
    throw new AppError('invalid', `A passphrase has ${SHORTEST} characters or more.`);
  }
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, KEY_BYTES, COST), iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  const texts = { salt, iv, tag: cipher.getAuthTag(), data };
  return Object.fromEntries(Object.entries(texts).map(([name, bytes]) => [name, bytes.toString('base64')])) as Sealed;
}

/** Opens what `sealSecrets` made. Throws AppError `invalid` where the passphrase is another, or the file was changed. */
export async function openSecrets({ salt, iv, tag, data }: Sealed, passphrase: string): Promise<Secrets> {
  const key = await derive(passphrase, Buffer.from(salt, 'base64'), KEY_BYTES, COST);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'), { authTagLength: 16 });
    decipher.setAuthTag(Buffer.from(tag, 'base64'));
    const text = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8');
    return secretsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('invalid', 'The secret values can not be read: another passphrase, or the file was changed.', {
      cause,
    });
  }
}
