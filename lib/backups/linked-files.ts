import 'server-only';
import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import { allCollections } from '@/lib/records/registry';

/** Every file below a folder; thumbnails are made again when they are asked for. */
export async function* walkFiles(folder: string): AsyncGenerator<string> {
  const entries: Dirent[] = await fs.readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('thumbs_')) yield* walkFiles(full);
    else if (entry.isFile()) yield full;
  }
}

/** Gives every stored file a second name below `links`, or a copy where the disk has no links: it stays when a console drops it. */
export async function linkFiles(storage: string, links: string): Promise<void> {
  for await (const file of walkFiles(storage)) {
    const target = path.join(links, path.relative(storage, file));
    await fs.mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await linkOrCopy(file, target);
  }
}

async function linkOrCopy(file: string, target: string): Promise<void> {
  try {
    await fs.link(file, target);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // Gone since it was found, or linked by the first round.
    if (code === 'ENOENT' || code === 'EEXIST') return;
    if (!['EPERM', 'EXDEV', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    await fs.copyFile(file, target);
  }
}

/** How many files the records of a database name that do not lie below `storage`. */
export async function countMissing(database: string, storage: string): Promise<number> {
  const db = new Database(database, { readonly: true, fileMustExist: true });
  try {
    let missing = 0;
    for (const { folder, name } of namedFiles(db)) {
      const isThere = await fs.access(path.join(storage, folder, name)).then(
        () => true,
        () => false,
      );
      if (!isThere) missing += 1;
    }
    return missing;
  } finally {
    db.close();
  }
}

/** What records name as their files; what a database of another version does not know is passed over. */
function* namedFiles(db: Database.Database): Generator<{ folder: string; name: string }> {
  for (const { id: collectionId, fields, map } of allCollections()) {
    for (const [field, { file, multiple }] of fields) {
      const column = map.byKey.get(field)?.column;
      if (!file || !column) continue;
      const hasColumn = 'SELECT 1 FROM pragma_table_info(?) WHERE name = ?';
      const table = map.name.replaceAll('"', '');
      if (!db.prepare(hasColumn).get(table, column.replaceAll('"', ''))) continue;
      const rows = db.prepare<[], { id: string; value: string }>(
        `SELECT id, ${column} AS value FROM ${map.name} WHERE ${column} NOT IN ('', '[]')`,
      );
      for (const { id, value } of rows.iterate()) {
        const names = multiple ? (JSON.parse(value) as string[]) : [value];
        for (const name of names) yield { folder: path.join(collectionId, id), name };
      }
    }
  }
}
