import 'server-only';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { imagesTable } from '@/db/schema/images';
import { AppError } from '@/lib/errors';
import { files } from '@/lib/files/collection';
import { Lru } from '@/lib/lru';
import { storedFilesFolder } from '@/lib/records/stored-files';
import { StoreReader } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';

interface StoredHash {
  sha256: string;
  sizeBytes: number;
}

interface Stored {
  id: string;
  file: string;
}

/** A stored name is never given twice, so what it stands for never changes. */
const hashes = singleton('file-hashes', () => new Lru<StoredHash>(20_000));

/** Reads the uploads of an image that are not known yet, before a transaction that can read no disk. */
export async function readFileHashes(imageId: string): Promise<void> {
  const reader = new StoreReader();
  const image = reader.get({ name: 'images', table: imagesTable }, imageId);
  for (const id of image?.files ?? []) {
    const file = reader.get(files, id);
    if (!file || file.file === '' || hashes.get(keyOf(file))) continue;
    const read = await hashFile(storedPath(file)).catch(() => undefined);
    if (read) hashes.set(keyOf(file), read);
  }
}

/** Throws `conflict` for a file that was not read before, and for one that is not there any more. */
export function requireHash(file: Stored & { name: string }): StoredHash {
  const known = hashes.get(keyOf(file));
  if (known) return known;
  throw new AppError('conflict', `The file ${file.name} can't be read, or was changed just now. Try again.`);
}

/** Where an upload of the files collection lies. */
export function storedPath({ id, file }: Stored): string {
  return path.join(storedFilesFolder(files.id, id), file);
}

function keyOf({ id, file }: Stored): string {
  return `${id}/${file}`;
}

async function hashFile(file: string): Promise<StoredHash> {
  const hash = createHash('sha256');
  const stream = fs.createReadStream(file);
  await pipeline(stream, hash);
  return { sha256: hash.digest('hex'), sizeBytes: stream.bytesRead };
}
