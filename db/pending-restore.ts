import fs from 'node:fs';
import path from 'node:path';

/** Lies in the staging folder once everything in it was checked. */
export const READY_MARK = 'READY';
/** Lies beside what a restore replaced until the restored data was opened. */
const UNPROVEN_MARK = 'UNPROVEN';
/** Lies there too while what was replaced comes back. */
const UNDO_MARK = 'UNDO';

const LOGS = ['berth.db-wal', 'berth.db-shm'];

export function stagingFolder(dataDir: string): string {
  return path.join(dataDir, 'restore');
}

/** What a restore replaced, kept until the next one. */
function replacedFolder(dataDir: string): string {
  return path.join(dataDir, 'before-restore');
}

/**
 * Swaps a staged backup in, if one is ready; the database must be closed. Every step is a rename that may be repeated, so a
 * crash in between is finished by the next call. What a crash left of one that was not ready goes.
 */
export function finishPendingRestore(dataDir: string): void {
  const staging = stagingFolder(dataDir);
  if (!fs.existsSync(path.join(staging, READY_MARK))) return fs.rmSync(staging, { recursive: true, force: true });
  const replaced = replacedFolder(dataDir);
  const begun = path.join(staging, 'begun');
  if (!fs.existsSync(begun)) {
    fs.rmSync(replaced, { recursive: true, force: true });
    fs.mkdirSync(replaced, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(replaced, UNPROVEN_MARK), '');
    fs.writeFileSync(begun, '');
  }
  // An old write-ahead log beside the restored database would be played into it.
  for (const name of LOGS) {
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
}

/** Whether data was swapped in, all of it or a part, that has not been opened since. */
export function isRestoreUnproven(dataDir: string): boolean {
  const marks = [path.join(replacedFolder(dataDir), UNPROVEN_MARK), path.join(stagingFolder(dataDir), READY_MARK)];
  return marks.some((mark) => fs.existsSync(mark));
}

/** The restored data opened: from now on it stays. */
export function confirmRestore(dataDir: string): void {
  fs.rmSync(path.join(replacedFolder(dataDir), UNPROVEN_MARK), { force: true });
}

/** Whether the data is that of a restore: what it replaced is kept, and goes back where the restored does not open. */
export function isRestoreStanding(dataDir: string): boolean {
  return fs.existsSync(path.join(replacedFolder(dataDir), 'berth.db'));
}

/** Puts back what an unproven restore replaced; the database must be closed. A crash in between is for `finishUndo`. */
export function undoRestore(dataDir: string): void {
  const replaced = replacedFolder(dataDir);
  fs.mkdirSync(replaced, { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(replaced, UNDO_MARK), '');
  finishUndo(dataDir);
}

/** Puts back what a restore that was cut off replaced, so that the next one keeps that; the database must be closed. */
export function undoCutOffRestore(dataDir: string): void {
  const marks = [UNPROVEN_MARK, UNDO_MARK].map((mark) => path.join(replacedFolder(dataDir), mark));
  if (marks.some((mark) => fs.existsSync(mark))) undoRestore(dataDir);
}

/** Goes on with an undo that was begun. Every step may be repeated; the mark goes last. */
export function finishUndo(dataDir: string): void {
  const replaced = replacedFolder(dataDir);
  if (!fs.existsSync(path.join(replaced, UNDO_MARK))) return;
  fs.rmSync(path.join(stagingFolder(dataDir), READY_MARK), { force: true });
  if (fs.existsSync(path.join(replaced, 'berth.db'))) {
    // The restored database's own logs. Those of the old one come back after it, so never with these.
    for (const name of LOGS) fs.rmSync(path.join(dataDir, name), { force: true });
  }
  for (const name of ['berth.db', ...LOGS, 'secret.key', 'storage']) {
    moveOver(path.join(replaced, name), path.join(dataDir, name));
  }
  fs.rmSync(stagingFolder(dataDir), { recursive: true, force: true });
  fs.rmSync(path.join(replaced, UNPROVEN_MARK), { force: true });
  fs.rmSync(path.join(replaced, UNDO_MARK));
}

function moveOver(from: string, to: string): void {
  if (!fs.existsSync(from)) return;
  fs.rmSync(to, { recursive: true, force: true });
  fs.renameSync(from, to);
}
