import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { env } from '@/lib/env';
import { dropSingleton, singleton } from '@/lib/singleton';
import { finishPendingRestore, undoRestore } from './pending-restore';

export interface Db {
  /** The connection: for prepared statements on hot paths. */
  sqlite: Database.Database;
  /** The same connection through Drizzle: for everything else. */
  orm: BetterSQLite3Database;
}

/** Opens the file with the pragmas that every connection needs: write-ahead log, full durability, foreign keys. */
export function openDatabase(file: string): Db {
  // Whoever reads the folder reads every secret's hash: it is its owner's alone.
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const sqlite = new Database(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('busy_timeout = 10000');
  sqlite.pragma('cache_size = -16000');
  return { sqlite, orm: drizzle({ client: sqlite }) };
}

/** Brings the schema up to date from the migrations folder. */
export function migrateDatabase(db: Db, folder = path.join(process.cwd(), 'drizzle')): void {
  migrate(db.orm, { migrationsFolder: folder });
}

/** Hashes of the migrations that a database has seen; of the process's own where none is given. */
export function appliedMigrations(sqlite: Database.Database = getDb().sqlite): string[] {
  return sqlite.prepare('SELECT hash FROM __drizzle_migrations').pluck().all() as string[];
}

function open(): Db {
  const { dataDir } = env();
  finishPendingRestore(dataDir);
  const db = openDatabase(path.join(dataDir, 'berth.db'));
  try {
    migrateDatabase(db);
    return db;
  } catch (error) {
    db.sqlite.close();
    throw error;
  }
}

/** The process's database, opened and migrated on first use: `next build` evaluates modules without touching it. */
export function getDb(): Db {
  return singleton('db', open);
}

/** Opens the data of a staged backup in place of the closed database's; the old comes back where that fails. */
export function reopenRestored(onFailure: (error: unknown) => void): void {
  try {
    getDb();
  } catch (error) {
    undoRestore(env().dataDir);
    onFailure(error);
    getDb();
  }
}

/** Closes the process's database; the next `getDb` opens it again. */
export function closeDb(): void {
  getDb().sqlite.close();
  dropSingleton('db');
}
