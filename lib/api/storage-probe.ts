import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { getDb, OPEN_MARK } from '@/db/database';
import { env } from '@/lib/env';
import { singleton } from '@/lib/singleton';
import { describeStorageFault } from '@/lib/storage-fault';

/** A verdict holds this long: anyone may ask, and each look waits for the disk. */
const HOLDS_MS = 1000;
/** As much as an ordinary write takes: the write-ahead log may have room left for less on a disk that is full. */
const PROBE_BYTES = 64 * 1024;

interface Verdict {
  atMs: number;
  fault: Promise<string>;
}

const last = singleton('storage-probe', () => ({ verdict: undefined as Verdict | undefined }));

/** Writes to the database and to the data folder; what refuses it, in words, empty when nothing does. */
export function probeStorage(): Promise<string> {
  const now = performance.now();
  if (!last.verdict || now - last.verdict.atMs > HOLDS_MS) last.verdict = { atMs: now, fault: probe() };
  return last.verdict.fault;
}

async function probe(): Promise<string> {
  const file = path.join(env().dataDir, 'write-probe');
  try {
    writeToDatabase();
    await fs.writeFile(file, Buffer.alloc(PROBE_BYTES), { flush: true });
    return '';
  } catch (error) {
    return describeStorageFault(error) ?? (error instanceof Error ? error.message : 'unknown');
  } finally {
    await fs.rm(file, { force: true }).catch(() => undefined);
  }
}

/** Writes the file's header as it is: a commit without a change would not touch the disk. */
function writeToDatabase(): void {
  getDb().sqlite.pragma(`user_version = ${OPEN_MARK}`);
}
