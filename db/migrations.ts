import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { storageCodeOf } from '@/lib/storage-fault';

/** Where the migrations lie: every program of ours runs in the project's folder. */
export const MIGRATIONS = path.join(process.cwd(), 'drizzle');

/** What drizzle knows of a migration: its statements, and by which hash and time a database notes it. */
export type Migration = ReturnType<typeof readMigrationFiles>[number];

/**
 * Migrations that were rewritten after data folders had been made with them: the hash of the earlier text, and the number
 * of the migration that took its place. None is rewritten any more: see `db/migrations.test.ts`.
 */
const rewritten: Readonly<Record<string, number>> = {
  '1afa82bba59b188883ca4e1ab7d8760f1fb739fee03374ee27459402138be383': 0,
  '68f1dab244e283638ae4a35ca99e09998d34d1ec50ed1721cca03336d95512af': 0,
  '3259002ab2cbed14585f070c496d4d5ab4619d4514acafd278496b5a29851d51': 1,
};

export function listMigrations(): Migration[] {
  return readMigrationFiles({ migrationsFolder: MIGRATIONS });
}

/** Hashes of the migrations that a database has seen; none for one that is new. */
export function appliedHashes(sqlite: Database.Database): string[] {
  const has = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'").get();
  return has ? (sqlite.prepare('SELECT hash FROM __drizzle_migrations').pluck().all() as string[]) : [];
}

/** Whether this version of Berth can open a database that has seen a migration of this hash. */
export function isKnownMigration(hash: string, migrations: readonly Migration[]): boolean {
  return hash in rewritten || migrations.some((migration) => migration.hash === hash);
}

/** Brings a database that was made by the earlier text of a migration to what the present text makes. */
export function adoptRewritten(sqlite: Database.Database, migrations: readonly Migration[]): void {
  for (const hash of appliedHashes(sqlite)) {
    const number = rewritten[hash];
    if (number === undefined) continue;
    const model = new Database(':memory:');
    try {
      for (const { sql } of migrations.slice(0, number + 1)) for (const statement of sql) model.exec(statement);
      sqlite.transaction(() => {
        takeShape(sqlite, model);
        const { hash: present, folderMillis } = migrations[number]!;
        const update = 'UPDATE __drizzle_migrations SET hash = ?, created_at = ? WHERE hash = ?';
        sqlite.prepare(update).run(present, folderMillis, hash);
      })();
    } finally {
      model.close();
    }
  }
}

interface Made {
  name: string;
  sql: string;
}

function madeIn(sqlite: Database.Database, type: 'table' | 'index'): Map<string, string> {
  const query =
    "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE '%\\_\\_%' ESCAPE '\\'";
  const rows = sqlite.prepare<[string], Made>(query).all(type);
  return new Map(rows.map(({ name, sql }) => [name, sql]));
}

interface Column {
  name: string;
  type: string;
  notnull: 0 | 1;
  dflt_value: string | null;
}

function columnsOf(sqlite: Database.Database, table: string): Column[] {
  return sqlite.pragma(`table_info("${table}")`) as Column[];
}

/** Adds the tables, columns and indexes that the model has, and drops the indexes that it has not. */
function takeShape(sqlite: Database.Database, model: Database.Database): void {
  const tables = madeIn(sqlite, 'table');
  for (const [table, sql] of madeIn(model, 'table')) {
    if (!tables.has(table)) sqlite.exec(sql);
    const held = new Set(columnsOf(sqlite, table).map(({ name }) => name));
    for (const column of columnsOf(model, table)) {
      if (!held.has(column.name)) sqlite.exec(`ALTER TABLE "${table}" ADD COLUMN ${definitionOf(column)}`);
    }
  }
  const wanted = madeIn(model, 'index');
  const present = madeIn(sqlite, 'index');
  for (const name of present.keys()) if (!wanted.has(name)) sqlite.exec(`DROP INDEX "${name}"`);
  for (const [name, sql] of wanted) if (!present.has(name)) sqlite.exec(sql);
}

function definitionOf({ name, type, notnull, dflt_value }: Column): string {
  return `"${name}" ${type}${dflt_value === null ? '' : ` DEFAULT ${dflt_value}`}${notnull ? ' NOT NULL' : ''}`;
}

/** What a database was before an upgrade, until the next. */
function upgradeCopy(dataDir: string): string {
  return path.join(dataDir, 'before-upgrade', 'berth.db');
}

/** There is no room for the copy that an upgrade makes first; the message says what to do. */
export class UpgradeRoomError extends Error {}

/** How many bytes the copy before an upgrade takes at most, with some to spare for what the upgrade writes. */
export function upgradeCopyBytes(sqlite: Database.Database): number {
  const pages = Number(sqlite.pragma('page_count', { simple: true }));
  return Math.ceil(pages * Number(sqlite.pragma('page_size', { simple: true })) * 1.1) + 1024 * 1024;
}

/** The migrations that a database has not seen; none of one that is new. */
export function pendingMigrations(sqlite: Database.Database, migrations: readonly Migration[]): Migration[] {
  const applied = new Set(appliedHashes(sqlite));
  return applied.size === 0 ? [] : migrations.filter(({ hash }) => !applied.has(hash));
}

/**
 * Copies a database that migrations are about to change, so that the version before can go on with it; the copy of the last
 * upgrade goes. Does nothing where there is nothing to change or nothing yet. Throws an UpgradeRoomError where the disk has
 * no room for it, with nothing changed, unless BERTH_UPGRADE_WITHOUT_COPY says to go on.
 */
export function copyBeforeUpgrade(sqlite: Database.Database, dataDir: string, migrations: readonly Migration[]): void {
  if (pendingMigrations(sqlite, migrations).length === 0) return;
  try {
    requireRoom(sqlite, dataDir);
    copyDatabase(sqlite, dataDir);
  } catch (error) {
    if (!isRoomProblem(error)) throw error;
    if (!env().upgradeWithoutCopy) throw roomError(error);
    log.warn('BERTH_UPGRADE_WITHOUT_COPY=accept: the database is changed without a copy of what it was');
  }
}

function requireRoom(sqlite: Database.Database, dataDir: string): void {
  const needed = upgradeCopyBytes(sqlite);
  const { bavail, bsize } = fs.statfsSync(dataDir);
  // The last upgrade's copy stays until this one is whole.
  const free = bavail * bsize;
  if (free < needed)
    throw new UpgradeRoomError(`It takes ${inMegabytes(needed)} MB, ${inMegabytes(free)} MB are free.`);
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

function isRoomProblem(error: unknown): boolean {
  return error instanceof UpgradeRoomError || /^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(storageCodeOf(error) ?? '');
}

function roomError(error: unknown): UpgradeRoomError {
  const why = error instanceof UpgradeRoomError ? ` ${error.message}` : '';
  return new UpgradeRoomError(
    `This version changes the database and copies it first, and the disk has too little room for that.${why} Nothing was ` +
      'changed. Free some space, or start once with BERTH_UPGRADE_WITHOUT_COPY=accept when you have a backup elsewhere.',
    { cause: error },
  );
}

function copyDatabase(sqlite: Database.Database, dataDir: string): void {
  const copy = upgradeCopy(dataDir);
  const partial = `${copy}.partial`;
  fs.mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 });
  fs.rmSync(partial, { force: true });
  try {
    sqlite.prepare('VACUUM INTO ?').run(partial);
    fs.chmodSync(partial, 0o600);
    fs.renameSync(partial, copy);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}
