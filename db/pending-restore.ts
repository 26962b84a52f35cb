import fs from 'node:fs';
import path from 'node:path';

/** Lies in the staging folder once everything in it was checked. */
export const READY_MARK = 'READY';

export function stagingFolder(dataDir: string): string {
  return path.join(dataDir, 'restore');
}

/** What a restore replaced, kept until the next one. */
function replacedFolder(dataDir: string): string {
  return path.join(dataDir, 'before-restore');
}

/**
 * Swaps a staged backup in, if one is ready; the database must be closed. Every step is a rename that may be repeated, so a
 * crash in between is finished by the next call. Returns whether there was one.
 */
export function finishPendingRestore(dataDir: string): boolean {
  const staging = stagingFolder(dataDir);
  if (!fs.existsSync(path.join(staging, READY_MARK))) return false;
  const replaced = replacedFolder(dataDir);
  const begun = path.join(staging, 'begun');
  if (!fs.existsSync(begun)) {
    fs.rmSync(replaced, { recursive: true, force: true });
    fs.mkdirSync(replaced, { recursive: true, mode: 0o700 });
    fs.writeFileSync(begun, '');
  }
  // An old write-ahead log beside the restored database would be played into it.
  for (const name of ['berth.db-wal', 'berth.db-shm']) {
    if (fs.existsSync(path.join(staging, 'berth.db'))) moveOver(path.join(dataDir, name), path.join(replaced, name));
  }
  for (const name of ['secret.key', 'storage', 'berth.db']) {
    const staged = path.join(staging, name);
    if (!fs.existsSync(staged)) continue;
    moveOver(path.join(dataDir, name), path.join(replaced, name));
    fs.renameSync(staged, path.join(dataDir, name));
  }
  fs.rmSync(path.join(staging, READY_MARK));
  fs.rmSync(staging, { recursive: true, force: true });
  return true;
}

/** Puts back what the last restore replaced; the database must be closed. */
export function undoRestore(dataDir: string): void {
  const replaced = replacedFolder(dataDir);
  for (const name of ['berth.db-wal', 'berth.db-shm']) fs.rmSync(path.join(dataDir, name), { force: true });
  for (const name of fs.readdirSync(replaced)) {
    fs.rmSync(path.join(dataDir, name), { recursive: true, force: true });
    fs.renameSync(path.join(replaced, name), path.join(dataDir, name));
  }
}

function moveOver(from: string, to: string): void {
  if (!fs.existsSync(from)) return;
  fs.rmSync(to, { recursive: true, force: true });
  fs.renameSync(from, to);
}
