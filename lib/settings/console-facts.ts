import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { env } from '@/lib/env';
import { APP_VERSION } from '@/lib/version';

/** What an admin may know of how the console runs; all of it comes from its environment. */
export interface ConsoleFacts {
  version: string;
  publicUrl: string;
  dataDir: string;
  databaseBytes: number;
  freeBytes: number;
  mail: { kind: 'smtp'; host: string; port: string; user: string; from: string } | { kind: 'outbox'; folder: string };
}

export async function readConsoleFacts(): Promise<ConsoleFacts> {
  const { publicUrl, dataDir } = env();
  const [databaseBytes, freeBytes] = await Promise.all([databaseSize(dataDir), freeSpace(dataDir)]);
  return { version: APP_VERSION, publicUrl, dataDir, databaseBytes, freeBytes, mail: mailFacts() };
}

function mailFacts(): ConsoleFacts['mail'] {
  const { smtpUrl, mailFrom, dataDir } = env();
  if (!smtpUrl) return { kind: 'outbox', folder: path.join(dataDir, 'outbox') };
  const url = new URL(smtpUrl);
  const port = url.port || (url.protocol === 'smtps:' ? '465' : '587');
  return { kind: 'smtp', host: url.hostname, port, user: decodeURIComponent(url.username), from: mailFrom };
}

/** The database and what SQLite keeps beside it. */
async function databaseSize(dataDir: string): Promise<number> {
  const names = (await fs.readdir(dataDir)).filter((name) => /\.db(-wal|-shm)?$|\.sqlite/.test(name));
  const sizes = await Promise.all(
    names.map((name) =>
      fs.stat(path.join(dataDir, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function freeSpace(dataDir: string): Promise<number> {
  const { bavail, bsize } = await fs.statfs(dataDir);
  return bavail * bsize;
}
