import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { nowMs, toWireDate } from '@/lib/clock';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { inBackupTurn } from './turn';

const KEY = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,149}\.zip$/;

/** So the names of the folders begin in which an import is tried. */
export const IMPORT_TRY = 'import-try-';

export interface BackupFile {
  key: string;
  size: number;
  modified: string;
}

export function backupsFolder(): string {
  return path.join(env().dataDir, 'backups');
}

/** Whether the text is the name of a backup; such a text is also safe as the name of a file. */
export function isBackupKey(key: string): boolean {
  return KEY.test(key) && !key.includes('..');
}

/** The name of a backup that is made at this moment. */
export function newBackupKey(prefix: string): string {
  return `${prefix}${toWireDate(nowMs()).slice(0, 19).replace(/\D/g, '')}.zip`;
}

/** Where the backup of that name lies; undefined when there is none. */
export async function findBackup(key: string): Promise<string | undefined> {
  if (!isBackupKey(key)) return undefined;
  const file = path.join(backupsFolder(), key);
  const stats = await fs.stat(file).catch(() => undefined);
  return stats?.isFile() ? file : undefined;
}

/** The backups that are complete, newest first. */
export async function listBackups(): Promise<BackupFile[]> {
  const names = await fs.readdir(backupsFolder()).catch(() => [] as string[]);
  const files = await Promise.all(
    names.filter(isBackupKey).map(async (key) => {
      // Gone since, or a link that leads nowhere.
      const stats = await fs.stat(path.join(backupsFolder(), key)).catch(() => undefined);
      return stats ? [{ key, size: stats.size, modified: toWireDate(Math.floor(stats.mtimeMs)) }] : [];
    }),
  );
  return files.flat().sort((one, other) => (one.modified < other.modified ? 1 : -1));
}

/** Removes what a backup left that a crash cut off; one that the command line makes meanwhile is left alone. */
export async function sweepPartialBackups(): Promise<void> {
  await inBackupTurn(sweep).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

/** Removes the copies of the data on which an import was tried and cut off; nobody else may be trying one. */
export async function sweepImportTries(): Promise<void> {
  const { dataDir } = env();
  const names = await fs.readdir(dataDir);
  const tries = names.filter((name) => name.startsWith(IMPORT_TRY));
  await Promise.all(tries.map((name) => fs.rm(path.join(dataDir, name), { recursive: true, force: true })));
}

async function sweep(): Promise<void> {
  await sweepImportTries();
  const names = await fs.readdir(backupsFolder()).catch(() => [] as string[]);
  const partial = names.filter((name) => name.startsWith('.'));
  await Promise.all(partial.map((name) => fs.rm(path.join(backupsFolder(), name), { recursive: true, force: true })));
}
