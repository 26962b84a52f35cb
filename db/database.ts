import 'server-only';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { dropSingleton, hasSingleton, singleton } from '@/lib/singleton';
import { adoptRewritten, copyBeforeUpgrade, listMigrations, MIGRATIONS } from './migrations';
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

/** Brings the schema up to date from the migrations folder; what is there is copied first into `dataDir`. */
export function migrateDatabase(db: Db, dataDir: string): void {
  const migrations = listMigrations();
  copyBeforeUpgrade(db.sqlite, dataDir, migrations);
  adoptRewritten(db.sqlite, migrations);
  migrate(db.orm, { migrationsFolder: MIGRATIONS });
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
    migrateDatabase(db, dataDir);
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

/**
 * Opens the process's database as it lies there, migrating nothing: for tools beside a console that may be of another version.
 * Throws an Error where there is none.
 */
export function openAsItIs(): Db {
  const file = path.join(env().dataDir, 'berth.db');
  if (!fs.existsSync(file)) throw new Error(`There is no database in ${env().dataDir}.`);
  // Asked before the connection makes one.
  singleton('had-log', () => fs.existsSync(`${file}-wal`));
  return singleton('db', () => openDatabase(file));
}

/**
 * Closes what `openAsItIs` opened. The log of a console that was killed stays beside its mark: without it the next start would
 * tell that it is lost.
 */
export function closeAsItIs(): void {
  const { sqlite } = getDb();
  const isLeft = singleton('had-log', () => false) && sqlite.pragma('user_version', { simple: true }) === OPEN_MARK;
  // The last to close takes the log away, but for one that may only read.
  const keeper = isLeft ? new Database(sqlite.name, { readonly: true }) : undefined;
  keeper?.pragma('user_version');
  sqlite.close();
  keeper?.close();
}

/**
 * The header's `user_version` while a console has the database open: a copy of the file without its write-ahead log shows by
 * it that the log is missing.
 */
export const OPEN_MARK = 1;

/** What goes before the database is closed. */
export function beforeClose(): Set<() => void> {
  return singleton('before-db-close', () => new Set());
}

/** Closes the process's database, where it is open, with everything in the one file; the next `getDb` opens it again. */
export function closeDb(): void {
  if (!hasSingleton('db')) return;
  const { sqlite } = getDb();
  for (const end of beforeClose()) end();
  beforeClose().clear();
  try {
    sqlite.pragma('user_version = 0');
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    sqlite.close();
    dropSingleton('db');
  }
}
