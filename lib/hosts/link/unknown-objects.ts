import 'server-only';
import { wireNow } from '@/lib/clock';
import type { UnknownObject } from '@/lib/protocol/calls';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';
import { getObject } from './desired-objects';

/** What a host has under its labels that this console does not know, and since when, as a wire date. */
export interface HeldUnknown extends UnknownObject {
  since: string;
}

interface Row {
  seen: string;
  since: string;
}

/** What is asked for again, or was told to go meanwhile, is none of them. */
export function listUnknown(hostId: string): HeldUnknown[] {
  const sql = 'SELECT seen, since FROM unknown_objects WHERE host_id = ? ORDER BY since, object_id';
  return prepare<Row>(sql)
    .all(hostId)
    .map(({ seen, since }) => ({ ...(JSON.parse(seen) as UnknownObject), since }))
    .filter(({ kind, id }) => !getObject(hostId, kind, id));
}

/** Replaces what a host told before. */
export function putUnknown(tx: WriteTransaction, hostId: string, objects: readonly UnknownObject[]): void {
  const before = new Map(listUnknown(hostId).map(({ kind, id, since }) => [`${kind} ${id}`, since]));
  removeUnknownOfHost(tx, hostId);
  const insert = tx.prepare(
    'INSERT OR REPLACE INTO unknown_objects (host_id, kind, object_id, seen, since) VALUES (?, ?, ?, ?, ?)',
  );
  for (const object of objects) {
    const { kind, id } = object;
    insert.run(hostId, kind, id, JSON.stringify(object), before.get(`${kind} ${id}`) ?? wireNow());
  }
}

export function removeUnknownOfHost(tx: WriteTransaction, hostId: string): void {
  tx.prepare('DELETE FROM unknown_objects WHERE host_id = ?').run(hostId);
}
