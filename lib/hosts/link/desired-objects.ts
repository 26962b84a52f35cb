import 'server-only';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';

/** One desired object as stored: secrets in `spec` are sealed. A null spec is a tombstone. */
export interface StoredObject {
  hostId: string;
  kind: string;
  objectId: string;
  revision: number;
  spec: unknown;
}

type Row = Omit<StoredObject, 'spec'> & { spec: string | null };

const COLUMNS = 'host_id AS hostId, kind, object_id AS objectId, revision, spec';

function parse(row: Row): StoredObject {
  return { ...row, spec: row.spec === null ? null : (JSON.parse(row.spec) as unknown) };
}

export function putObject(tx: WriteTransaction, { hostId, kind, objectId, revision, spec }: StoredObject): void {
  tx.prepare(
    `INSERT INTO desired_objects (host_id, kind, object_id, revision, spec) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (host_id, kind, object_id) DO UPDATE SET revision = excluded.revision, spec = excluded.spec`,
  ).run(hostId, kind, objectId, revision, spec === null ? null : JSON.stringify(spec));
}

export function getObject(hostId: string, kind: string, objectId: string): StoredObject | undefined {
  const row = prepare<Row>(
    `SELECT ${COLUMNS} FROM desired_objects WHERE host_id = ? AND kind = ? AND object_id = ?`,
  ).get(hostId, kind, objectId);
  return row && parse(row);
}

/** The objects of a kind on a host whose specs speak of an id, as stored. */
export function listSpeakingOf<Spec>(hostId: string, kind: string, id: string): { objectId: string; spec: Spec }[] {
  const sql =
    'SELECT object_id AS objectId, spec FROM desired_objects WHERE host_id = ? AND kind = ? AND spec IS NOT NULL AND instr(spec, ?) > 0';
  return prepare<{ objectId: string; spec: string }>(sql)
    .all(hostId, kind, JSON.stringify(id))
    .map(({ objectId, spec }) => ({ objectId, spec: JSON.parse(spec) as Spec }));
}

/** What changed after a revision, all that is kept after 0, oldest first: a tombstone is kept until its host has said so. */
export function listObjectsSince(hostId: string, revision: number): StoredObject[] {
  const sql = `SELECT ${COLUMNS} FROM desired_objects WHERE host_id = ? AND revision > ? ORDER BY revision`;
  return prepare<Row>(sql).all(hostId, revision).map(parse);
}

export function removeObject(tx: WriteTransaction, hostId: string, kind: string, objectId: string): void {
  tx.prepare('DELETE FROM desired_objects WHERE host_id = ? AND kind = ? AND object_id = ?').run(
    hostId,
    kind,
    objectId,
  );
}

/** Drops the tombstones of a kind that the agent has applied; the highest revision dropped, 0 for none. */
export function pruneTombstones(tx: WriteTransaction, hostId: string, kind: string, appliedRevision: number): number {
  const rows = tx
    .prepare<{ revision: number }>(
      `DELETE FROM desired_objects WHERE host_id = ? AND kind = ? AND spec IS NULL AND revision <= ? RETURNING revision`,
    )
    .all(hostId, kind, appliedRevision);
  return rows.reduce((highest, row) => Math.max(highest, row.revision), 0);
}

export function removeObjectsOfHost(tx: WriteTransaction, hostId: string): void {
  tx.prepare('DELETE FROM desired_objects WHERE host_id = ?').run(hostId);
}

/** The hosts that are asked to hold an object. */
export function listHolders(kind: string, objectId: string): string[] {
  const sql = 'SELECT host_id AS hostId FROM desired_objects WHERE object_id = ? AND kind = ? AND spec IS NOT NULL';
  return prepare<{ hostId: string }>(sql)
    .all(objectId, kind)
    .map(({ hostId }) => hostId);
}
