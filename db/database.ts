import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { dropSingleton, singleton } from '@/lib/singleton';
import { confirmRestore, finishPendingRestore, finishUndo, isRestoreUnproven, undoRestore } from './pending-restore';

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

/** Opens what is there. Restored data that does not open goes, and what it replaced is opened instead. */
function open(): Db {
  const { dataDir } = env();
  finishUndo(dataDir);
  try {
    finishPendingRestore(dataDir);
    const db = openMigrated(dataDir);
    confirmRestore(dataDir);
    return db;
  } catch (error) {
    if (!isRestoreUnproven(dataDir)) throw error;
    undoRestore(dataDir);
    log.error({ err: error }, 'the restored data did not open; the old is back');
    return openMigrated(dataDir);
  }
}

function openMigrated(dataDir: string): Db {
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

/** Closes the process's database; the next `getDb` opens it again. */
export function closeDb(): void {
  getDb().sqlite.close();
  dropSingleton('db');
}
