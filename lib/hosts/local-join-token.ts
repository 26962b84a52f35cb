import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { nowMs } from '@/lib/clock';
import { hosts } from './collection';
import { hashJoinToken } from './link/join';
import { log } from '@/lib/log';
import { StoreReader, write } from '@/lib/records/transaction';
import { findJoinToken, removeJoinToken } from './link/join-tokens';
import { createEmbeddedJoinToken } from './create-join-token';

const LOCAL_HOST = 'local';
const TEND_EVERY_MS = 15_000;
/** A token with less time left is replaced, so that an agent which comes late finds a good one. */
const REST_MIN_MS = 30 * 60_000;

/**
 * Tends the file in which an agent deployed beside the console finds its join token. Returns a function that stops it;
 * the file stays.
 */
export function startLocalJoinToken(file: string): () => void {
  const tend = (): void => {
    tendLocalJoinToken(file).catch((error: unknown) => log.error({ err: error, file }, 'no join token could be left'));
  };
  tend();
  const timer = setInterval(tend, TEND_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Leaves a token for host `local` while that host is absent or offline, and takes it back once the host is online: the
 * token may replace the host's key, so there is none while the key is in use.
 */
export async function tendLocalJoinToken(file: string): Promise<void> {
  const left = await readLeft(file);
  const host = new StoreReader().find(hosts, { name: LOCAL_HOST }, { limit: 1 })[0];
  if (host?.status === 'online') return takeBack(file, left);
  const token = left === '' ? undefined : findJoinToken(hashJoinToken(left));
  if (token && token.usesLeft > 0 && token.expiresAtMs > nowMs() + REST_MIN_MS) return;
  await takeBack(file, left);
  await leave(file, await createEmbeddedJoinToken(LOCAL_HOST));
}

async function takeBack(file: string, left: string): Promise<void> {
  if (left === '') return;
  await write((tx) => removeJoinToken(tx, hashJoinToken(left)));
  await fs.rm(file, { force: true });
}

/** Only the owner may read it, and it appears whole. */
async function leave(file: string, token: string): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.new`;
  await fs.rm(fresh, { force: true });
  await fs.writeFile(fresh, token, { mode: 0o600, flag: 'wx' });
  await fs.rename(fresh, file);
}

/** Empty where there is none. */
async function readLeft(file: string): Promise<string> {
  try {
    return (await fs.readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
