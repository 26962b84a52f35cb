import 'server-only';
import type { Statement } from 'better-sqlite3';
import { singleton } from '@/lib/singleton';
import { getDb, type Db } from './database';

/** How often each collection has changed in this process: what was read at a version stays true at that version. */
const versions = singleton('collection-versions', () => new Map<string, number>());

/** Told by the write queue after each commit, and by whoever writes a collection's table in another way. */
export function bumpVersion(collection: string): void {
  versions.set(collection, (versions.get(collection) ?? 0) + 1);
}

/** The versions of several collections as one text, which other processes' writes to the database change too. */
export function versionOf(collections: Iterable<string>): string {
  let text = `${outsideVersion()}`;
  for (const name of collections) text += `.${versions.get(name) ?? 0}`;
  return text;
}

const outside = singleton('outside-version', () => ({ known: undefined as number | undefined }));

/** Moves when another connection has committed. Asked once in a turn of the event loop: an answer is no older than that. */
function outsideVersion(): number {
  if (outside.known === undefined) {
    outside.known = dataVersion().get() as number;
    setImmediate(() => (outside.known = undefined));
  }
  return outside.known;
}

const asking = new WeakMap<Db, Statement>();

function dataVersion(): Statement {
  const db = getDb();
  let statement = asking.get(db);
  if (!statement) asking.set(db, (statement = db.sqlite.prepare('PRAGMA data_version').pluck()));
  return statement;
}
