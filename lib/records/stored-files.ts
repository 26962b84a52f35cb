import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';

/** Where the files of a record are: `storage/COLLECTION_ID/RECORD_ID`. Ids come from the database, never from a path. */
export function storedFilesFolder(collectionId: string, recordId: string): string {
  return path.join(env().dataDir, 'storage', collectionId, recordId);
}

/** Where thumbnails of a stored file are kept. */
export function thumbsFolder(collectionId: string, recordId: string, name: string): string {
  return path.join(storedFilesFolder(collectionId, recordId), `thumbs_${name}`);
}

interface Removals {
  /** How many copies of the files are being made. */
  pauses: number;
  waiting: string[];
}
const removals = singleton('file-removals', (): Removals => ({ pauses: 0, waiting: [] }));

/** Keeps files that records drop until the returned function is called: a backup has named them. */
export function pauseFileRemovals(): () => void {
  removals.pauses += 1;
  return () => {
    removals.pauses -= 1;
    if (removals.pauses > 0) return;
    for (const target of removals.waiting.splice(0)) {
      remove(target).catch((error: unknown) => log.warn({ err: error }, 'files were left behind'));
    }
  };
}

async function remove(target: string): Promise<void> {
  if (removals.pauses > 0) removals.waiting.push(target);
  else await fs.rm(target, { recursive: true, force: true });
}

/** Removes one stored file and its thumbnails; missing ones are fine. */
export async function removeStoredFile(collectionId: string, recordId: string, name: string): Promise<void> {
  await remove(path.join(storedFilesFolder(collectionId, recordId), name));
  await remove(thumbsFolder(collectionId, recordId, name));
}

/** Removes all files of a record. */
export async function removeStoredFiles(collectionId: string, recordId: string): Promise<void> {
  await remove(storedFilesFolder(collectionId, recordId));
}
