import 'server-only';
import { createWriteStream, type Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { getDb } from '@/db/database';
import { env } from '@/lib/env';
import { pauseFileRemovals } from '@/lib/records/stored-files';
import { APP_VERSION } from '@/lib/version';
import { backupsFolder } from './folder';

const PAGES_PER_STEP = 250;

/**
 * Writes a zip of the database as it is at one moment, the stored files that it names and the installation's secret. Writes
 * go on meanwhile; files that they drop are kept until the zip is done. Nothing is left under the name when it fails.
 */
export async function createBackup(key: string): Promise<void> {
  const folder = backupsFolder();
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const snapshot = path.join(folder, `.${key}.db`);
  const partial = path.join(folder, `.${key}.partial`);
  const resume = pauseFileRemovals();
  try {
    // The copy runs in steps between requests; writes of this connection go into it, so it ends at one moment.
    await getDb().sqlite.backup(snapshot, { progress: () => PAGES_PER_STEP });
    await writeZip(partial, snapshot);
    await fs.rename(partial, path.join(folder, key));
  } finally {
    resume();
    for (const file of [snapshot, `${snapshot}-wal`, `${snapshot}-shm`, partial]) await fs.rm(file, { force: true });
  }
}

async function writeZip(target: string, snapshot: string): Promise<void> {
  const { dataDir } = env();
  const zip = new yazl.ZipFile();
  const manifest = { format: 1, version: APP_VERSION };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'backup.json');
  zip.addFile(snapshot, 'berth.db');
  const secret = path.join(dataDir, 'secret.key');
  if (await exists(secret)) zip.addFile(secret, 'secret.key');
  for await (const file of walk(path.join(dataDir, 'storage'))) {
    zip.addFile(file, path.relative(dataDir, file).split(path.sep).join('/'), { compress: false });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target, { mode: 0o600, flush: true }));
}

/** Every stored file; thumbnails are made again when they are asked for. */
async function* walk(folder: string): AsyncGenerator<string> {
  const entries: Dirent[] = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('thumbs_')) yield* walk(full);
    else if (entry.isFile()) yield full;
  }
}

function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
