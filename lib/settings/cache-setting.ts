import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { settingsTable } from '@/db/schema/settings';
import { env } from '@/lib/env';
import type { FieldProblems } from '@/lib/errors';
import { keptUntilChange } from '@/lib/records/kept-value';
import { StoreReader } from '@/lib/records/transaction';

export const CACHE_KEY = 'cache';

const DIRECTORY_MAX = 500;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What was looked up elsewhere: in which folder it is kept, for how many seconds, and how much room it may take. */
export const cacheSettingSchema = z.strictObject({
  /** Empty for one in the data folder. */
  directory: z
    .string()
    .trim()
    .max(DIRECTORY_MAX)
    .refine(
      (folder) => folder === '' || (folder.startsWith('/') && !folder.split('/').includes('..')),
      'Enter a path that begins with / and has no “..”.',
    )
    .default(''),
  lifetime: z.int().min(0).max(YEAR_SECONDS).default(3600),
  maxSizeMb: z.int().min(50).max(100_000).default(1000),
});

export interface CacheSetting {
  /** Absolute. */
  directory: string;
  lifetimeMs: number;
  maxBytes: number;
}

const stored = keptUntilChange('cache-setting', ['settings'], () => {
  const [row] = new StoreReader().find({ name: 'settings', table: settingsTable }, { key: CACHE_KEY }, { limit: 1 });
  const parsed = cacheSettingSchema.safeParse(row?.value ?? {});
  return parsed.success ? parsed.data : cacheSettingSchema.parse({});
});

/** Where and for how long what was looked up elsewhere is kept. */
export function cacheSetting(): CacheSetting {
  const { directory, lifetime, maxSizeMb } = stored();
  return {
    directory: directory || path.join(env().dataDir, 'cache'),
    lifetimeMs: lifetime * 1000,
    maxBytes: maxSizeMb * 1024 ** 2,
  };
}

/** Problems of a folder that the console is to keep things in: it is made where it is missing, and written to. */
export function checkCacheDirectory(directory: string): FieldProblems {
  if (directory === '') return {};
  try {
    makeFolder(directory);
    fs.rmdirSync(fs.mkdtempSync(path.join(directory, '.berth-')));
    return {};
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = WHY[code] ?? `The console can not write there (${code || 'unknown'}).`;
    return { directory: { code: 'validation_not_writable', message: why } };
  }
}

/** Step by step: made recursively, a folder in a place like /proc never ends. */
function makeFolder(directory: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(directory); !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at);
  for (const folder of missing) fs.mkdirSync(folder, { mode: 0o700 });
}

const WHY: Record<string, string> = {
  EACCES: 'The console is not allowed to write there.',
  EPERM: 'The console is not allowed to write there.',
  EROFS: 'That disk can not be written to.',
  ENOTDIR: 'A part of this path is a file.',
  EEXIST: 'This is a file.',
  ENOENT: 'No folder can be made there.',
  ENOSPC: 'That disk is full.',
};
