import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';

const PARTIAL = '.partial';
const FILE = /^[a-z0-9]{15}\.tar\.gz$/;

function folder(): string {
  return path.join(env().dataDir, 'volume-backups');
}

/** Where a backup lies; it is there once it is whole. */
export function fileOf(backupId: string): string {
  return path.join(folder(), `${backupId}.tar.gz`);
}

export function partialOf(backupId: string): string {
  return fileOf(backupId) + PARTIAL;
}

export async function makeFolder(): Promise<void> {
  await fs.mkdir(folder(), { recursive: true, mode: 0o700 });
}

/** Throws AppError `conflict` where so much more would leave too little on the console's disk. */
export async function requireRoom(bytes: number): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder());
  if (bavail * bsize >= bytes + limits.volumeBackupSpareBytes) return;
  throw new AppError(
    'conflict',
    'The console has too little free disk space for this backup. Delete old ones, or free some.',
  );
}

export async function removeFile(backupId: string): Promise<void> {
  await fs.rm(fileOf(backupId), { force: true });
}

/** Removes what a process left that was cut off: what is no backup yet. */
export async function sweepPartial(): Promise<void> {
  const names = await fs.readdir(folder()).catch(() => [] as string[]);
  const partial = names.filter((name) => name.endsWith(PARTIAL) && FILE.test(name.slice(0, -PARTIAL.length)));
  await Promise.all(partial.map((name) => fs.rm(path.join(folder(), name), { force: true })));
}
