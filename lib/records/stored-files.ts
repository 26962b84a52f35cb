import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { env } from '@/lib/env';

/** Where the files of a record are: `storage/COLLECTION_ID/RECORD_ID`. Ids come from the database, never from a path. */
export function storedFilesFolder(collectionId: string, recordId: string): string {
  return path.join(env().dataDir, 'storage', collectionId, recordId);
}

/** Where thumbnails of a stored file are kept. */
export function thumbsFolder(collectionId: string, recordId: string, name: string): string {
  return path.join(storedFilesFolder(collectionId, recordId), `thumbs_${name}`);
}

/** Removes one stored file and its thumbnails; missing ones are fine. */
export async function removeStoredFile(collectionId: string, recordId: string, name: string): Promise<void> {
  await fs.rm(path.join(storedFilesFolder(collectionId, recordId), name), { force: true });
  await fs.rm(thumbsFolder(collectionId, recordId, name), { recursive: true, force: true });
}

/** Removes all files of a record. */
export async function removeStoredFiles(collectionId: string, recordId: string): Promise<void> {
  await fs.rm(storedFilesFolder(collectionId, recordId), { recursive: true, force: true });
}
