import 'server-only';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { appliedHashes, isKnownMigration, listMigrations } from '@/db/migrations';
import { closeInterrupted, restartRevisions } from '@/db/restored-data';
import { belongsTo } from '@/db/secret-proof';
import { READY_MARK, stagingFolder } from '@/db/pending-restore';
import { nowMs, wireNow } from '@/lib/clock';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';

const FILE = /^storage\/[^/\\]+\/[^/\\]+\/[^/\\]+$/;
const MAX_ENTRIES = 5_000_000;
/** A backup compresses well, a zip bomb far better. */
const MAX_RATIO = 1000;

const openZip = promisify<string, yauzl.Options, ZipFile>(yauzl.open);

/**
 * Unpacks a backup beside the data and checks that the console can run on it. Once this resolves the restore survives a
 * crash: the next start finishes it. Throws AppError `invalid` with the reason, nothing staged, when it is no backup of ours.
 */
export async function stageBackup(file: string): Promise<void> {
  const staging = stagingFolder(env().dataDir);
  await fs.rm(staging, { recursive: true, force: true });
  await fs.mkdir(staging, { recursive: true, mode: 0o700 });
  try {
    await unpack(file, staging);
    checkDatabase(path.join(staging, 'berth.db'));
    await fs.mkdir(path.join(staging, 'storage'), { recursive: true });
    await fs.writeFile(path.join(staging, READY_MARK), '', { flush: true });
  } catch (cause) {
    await fs.rm(staging, { recursive: true, force: true });
    const why = cause instanceof Error ? ` ${cause.message.replace(/\.$/, '')}.` : '';
    throw cause instanceof AppError
      ? cause
      : new AppError('invalid', `The backup can not be restored.${why}`, { cause });
  }
}

async function unpack(file: string, staging: string): Promise<void> {
  const zip = await openZip(file, { lazyEntries: true, autoClose: false, strictFileNames: true });
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new Error('It has too many files');
    const { bavail, bsize } = await fs.statfs(staging);
    let roomBytes = bavail * bsize;
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        roomBytes -= entry.uncompressedSize;
        if (roomBytes < 0) return reject(new Error('It needs more room than the disk has'));
        unpackEntry(zip, entry, staging).then(() => zip.readEntry(), reject);
      });
      zip.on('end', resolve);
      zip.on('error', reject);
      zip.readEntry();
    });
  } finally {
    zip.close();
  }
}

async function unpackEntry(zip: ZipFile, entry: Entry, staging: string): Promise<void> {
  const name = entry.fileName;
  if (name.endsWith('/') || name === 'backup.json') return;
  const isOurs = name === 'berth.db' || name === 'secret.key' || (FILE.test(name) && !name.split('/').includes('..'));
  if (!isOurs) throw new Error(`It holds ${name}, which no backup has`);
  if (entry.uncompressedSize > entry.compressedSize * MAX_RATIO + 1_000_000) throw new Error(`${name} is a zip bomb`);
  const target = path.join(staging, name);
  await fs.mkdir(path.dirname(target), { recursive: true });
  const source = await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry);
  let sum = 0;
  const summed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  };
  await pipeline(source, summed, createWriteStream(target, { mode: 0o600, flush: true }));
  if (sum !== entry.crc32) throw new Error(`${name} is damaged`);
}

/** The file must be whole, hold an admin and have no migration that this version does not know. */
function checkDatabase(file: string): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    if (db.pragma('quick_check', { simple: true }) !== 'ok') throw new Error('Its database is damaged');
    const migrations = listMigrations();
    const applied = appliedHashes(db);
    if (applied.length === 0) throw new Error('It is no database of Berth');
    if (!applied.every((hash) => isKnownMigration(hash, migrations)))
      throw new Error('It was made by another version of Berth');
    const admin = db.prepare('SELECT 1 FROM users WHERE is_admin = 1 LIMIT 1').get();
    if (!admin) throw new Error('It has no admin');
    if (!belongsTo(db, secretOf(path.dirname(file)))) throw new Error('It was made with another secret (BERTH_SECRET)');
    closeInterrupted(db, wireNow());
    restartRevisions(db, nowMs());
    db.pragma('journal_mode = DELETE');
    // It was copied while it was open, whole all the same.
    db.pragma('user_version = 0');
  } finally {
    db.close();
  }
}

/** What the restored data would be opened with. */
function secretOf(staging: string): string {
  const file = [staging, env().dataDir]
    .map((folder) => path.join(folder, 'secret.key'))
    .find((each) => existsSync(each));
  return env().secret ?? (file ? readFileSync(file, 'utf8').trim() : '');
}
