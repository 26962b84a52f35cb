import 'server-only';
import { createWriteStream, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { getDb } from '@/db/database';
import { onCutOff } from '@/lib/cut-off';
import { env } from '@/lib/env';
import { pauseFileRemovals } from '@/lib/records/stored-files';
import { APP_VERSION } from '@/lib/version';
import { backupsFolder } from './folder';
import { countMissing, linkFiles, walkFiles } from './linked-files';

const PAGES_PER_STEP = 250;
/** In one step: between two of them a write of another process would begin the copy anew. */
const ALL_PAGES = 0x7fffffff;
/** So often a copy is made anew because a file went before it had its second name. */
const TRIES = 3;

/**
 * Writes a zip of the database as it is at one moment, the stored files that it names and the installation's secret. Writes
 * go on meanwhile; files that they drop are kept until the zip is done. Nothing is left under the name when it fails.
 */
export async function createBackup(key: string): Promise<void> {
  const folder = backupsFolder();
  const resume = pauseFileRemovals();
  try {
    await inPlace(folder, key, async ({ snapshot, partial }) => {
      // The copy runs in steps between requests; writes of this connection go into it, so it ends at one moment.
      await getDb().sqlite.backup(snapshot, { progress: () => PAGES_PER_STEP });
      await writeZip(partial, { snapshot, storage: storageFolder() });
    });
  } finally {
    resume();
  }
}

/**
 * The same beside a console that may be running, into `folder`: what it drops meanwhile is held by second names of the files.
 * Resolves with how many files records name that were not there.
 */
export async function createBackupOutside(folder: string, key: string): Promise<number> {
  const links = path.join(backupsFolder(), `.${key}.files`);
  const forget = onCutOff(() => rmSync(links, { recursive: true, force: true }));
  let missing = 0;
  try {
    await inPlace(folder, key, async ({ snapshot, partial }) => {
      for (let round = 1; round <= TRIES; round += 1) {
        await fs.rm(snapshot, { force: true });
        await linkFiles(storageFolder(), links);
        await getDb().sqlite.backup(snapshot, { progress: () => ALL_PAGES });
        await linkFiles(storageFolder(), links);
        missing = await countMissing(snapshot, links);
        if (missing === 0) break;
      }
      await writeZip(partial, { snapshot, storage: links });
    });
  } finally {
    await fs.rm(links, { recursive: true, force: true });
    forget();
  }
  return missing;
}

function storageFolder(): string {
  return path.join(env().dataDir, 'storage');
}

/** Has a backup made under other names, and gives it its own once it is whole. */
async function inPlace(
  folder: string,
  key: string,
  make: (files: { snapshot: string; partial: string }) => Promise<void>,
): Promise<void> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const snapshot = path.join(folder, `.${key}.db`);
  const partial = path.join(folder, `.${key}.partial`);
  const files = [snapshot, `${snapshot}-journal`, `${snapshot}-wal`, `${snapshot}-shm`, partial];
  const forget = onCutOff(() => files.forEach((file) => rmSync(file, { force: true })));
  try {
    await make({ snapshot, partial });
    await fs.rename(partial, path.join(folder, key));
  } finally {
    for (const file of files) await fs.rm(file, { force: true });
    forget();
  }
}

async function writeZip(target: string, { snapshot, storage }: { snapshot: string; storage: string }): Promise<void> {
  const zip = new yazl.ZipFile();
  // A file that can't be read is told here alone: unheard, it would end the process.
  zip.on('error', (error: Error) => (zip.outputStream as Readable).destroy(error));
  const manifest = { format: 1, version: APP_VERSION };
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), 'backup.json');
  zip.addFile(snapshot, 'berth.db');
  const secret = path.join(env().dataDir, 'secret.key');
  if (await exists(secret)) zip.addFile(secret, 'secret.key');
  for await (const file of walkFiles(storage)) {
    const name = path.relative(storage, file).split(path.sep).join('/');
    zip.addFile(file, `storage/${name}`, { compress: false });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target, { mode: 0o600, flush: true }));
}

function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}
