import type Database from 'better-sqlite3';

const WORDS = 'It was under way when the backup was made that this console was restored from. Build it again.';

/** Revisions move so far past the present second: writes may still come between this and the swap. */
const SPARE_SECONDS = 60;

/**
 * What agents hold may be newer than what was restored, so every revision moves past all that was ever given out, and each
 * agent is answered in full. The database is one that nobody has opened yet.
 */
export function restartRevisions(sqlite: Database.Database, nowMs: number): void {
  const next = Math.floor(nowMs / 1000) + SPARE_SECONDS;
  const restart = `UPDATE host_identities SET revision = MAX(revision + 1, ?), pruned_revision = MAX(revision + 1, ?),
    applied_revision = 0, report_sequence = 0`;
  sqlite.prepare(restart).run(next, next);
}

/**
 * Closes what a backup caught in the middle and no host will finish: builds, with their jobs, and what waits for them. The
 * database is one that nobody has opened yet.
 */
export function closeInterrupted(sqlite: Database.Database, nowWire: string): void {
  const isOpen = "status IN ('build_pending', 'building')";
  sqlite.transaction(() => {
    const jobs = `DELETE FROM desired_objects WHERE kind = 'job' AND object_id IN (SELECT id FROM builds WHERE ${isOpen})`;
    sqlite.exec(jobs);
    const waiting = `workspace IN (SELECT id FROM workspaces WHERE ${isOpen})`;
    const fail = `UPDATE deployments SET status = 'failed', status_message = ?, finished = ? WHERE status = 'pending' AND ${waiting}`;
    sqlite.prepare(fail).run(WORDS, nowWire);
    const close = `UPDATE builds SET status = 'error', status_message = ?, queue_place = 0, finished = ? WHERE ${isOpen}`;
    sqlite.prepare(close).run(WORDS, nowWire);
    for (const table of ['images', 'workspaces']) {
      sqlite.prepare(`UPDATE ${table} SET status = 'error', status_message = ? WHERE ${isOpen}`).run(WORDS);
    }
  })();
}
