import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@/lib/errors';
import { env } from '@/lib/env';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import type { AnyRow, Collection } from './collection';
import { allCollections } from './registry';
import { prepare } from './statements';
import { storedFilesFolder } from './stored-files';
import type { Upload } from './uploads';

/** Smaller records are bounded by their number. */
const LARGE_CHARS = 16_384;
const LARGE_KINDS = new Set(['text', 'json']);

/**
 * Throws AppError `invalid` where an account has made as many records of the collection as one may, or stores as much in them.
 * Accounts with full access are not counted.
 */
export function refuseBeyondQuota(
  collection: Collection,
  actor: Actor,
  { row, before }: { row: AnyRow; before: AnyRow | undefined },
): void {
  if (actor.kind !== 'user' || hasFullAccess(actor) || !collection.fields.has('created_by')) return;
  const { recordsPerAccount, storageBytesPerAccount } = env();
  if (!before && countOf(collection, actorUserId(actor), recordsPerAccount) >= recordsPerAccount) {
    throw new AppError('invalid', `One account may make ${recordsPerAccount} ${collection.name}. Delete some first.`);
  }
  const size = JSON.stringify(row).length;
  if (size < LARGE_CHARS || (before && size <= JSON.stringify(before).length)) return;
  if (storedBytes(collection, String(row.created_by)) + size > storageBytesPerAccount) throw storageFull();
}

/** The same before uploads are stored: what lies on the disk for records that the account has made. */
export async function refuseUploadBeyondQuota(
  actor: Actor,
  uploads: Readonly<Record<string, readonly Upload[]>>,
): Promise<void> {
  const added = Object.values(uploads)
    .flat()
    .reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (added === 0 || actor.kind !== 'user' || hasFullAccess(actor)) return;
  if ((await fileBytes(actorUserId(actor))) + added > env().storageBytesPerAccount) throw storageFull();
}

function storageFull(): AppError {
  const megabytes = env().storageBytesPerAccount / 1_000_000;
  return new AppError('invalid', `One account may store ${megabytes} MB. Delete some of what you have made first.`);
}

function columnOf(collection: Collection, field: string): string {
  return collection.map.byKey.get(field)!.column;
}

function countOf(collection: Collection, userId: string, max: number): number {
  const mine = `SELECT 1 FROM ${collection.map.name} WHERE ${columnOf(collection, 'created_by')} = ? LIMIT ?`;
  return prepare(`SELECT COUNT(*) FROM (${mine})`).pluck().get(userId, max) as number;
}

function storedBytes(collection: Collection, userId: string): number {
  const columns = [...collection.fields]
    .filter(([, { kind }]) => LARGE_KINDS.has(kind))
    .map(([name]) => `COALESCE(octet_length(${columnOf(collection, name)}), 0)`);
  const where = `WHERE ${columnOf(collection, 'created_by')} = ?`;
  const sql = `SELECT COALESCE(SUM(${columns.join(' + ')}), 0) FROM ${collection.map.name} ${where}`;
  return prepare(sql).pluck().get(userId) as number;
}

async function fileBytes(userId: string): Promise<number> {
  let sum = 0;
  for (const collection of allCollections()) {
    if (!collection.fields.has('created_by')) continue;
    for (const [name, { kind, multiple }] of collection.fields) {
      if (kind !== 'file' || multiple) continue;
      const column = columnOf(collection, name);
      const mine = `${columnOf(collection, 'created_by')} = ? AND ${column} != ''`;
      const stored = prepare(`SELECT "id", ${column} FROM ${collection.map.name} WHERE ${mine}`).raw().all(userId) as [
        string,
        string,
      ][];
      for (const [id, file] of stored) sum += await sizeOf(path.join(storedFilesFolder(collection.id, id), file));
    }
  }
  return sum;
}

function sizeOf(file: string): Promise<number> {
  return fs.stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
