import 'server-only';
import { bumpVersion } from '@/db/versions';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';

/** What the console knows of a host's agent. Times are milliseconds since the epoch, by the console's clock. */
export interface HostIdentity {
  hostId: string;
  /** Raw Ed25519 public key, base64url; empty while no agent has joined. */
  publicKey: string;
  /** The agent's process that speaks for the host; empty when none does. */
  instanceId: string;
  lastSeenMs: number;
  revision: number;
  appliedRevision: number;
  reportSequence: number;
  prunedRevision: number;
  /** Version of the words that the agent speaks; 0 for a host that has not said. */
  protocol: number;
}

/** A clock that is being corrected goes back by this much now and then. */
const CLOCK_TOLERANCE_MS = 1000;

const COLUMNS = `host_id AS hostId, public_key AS publicKey, instance_id AS instanceId, last_seen_ms AS lastSeenMs, revision,
  applied_revision AS appliedRevision, report_sequence AS reportSequence, pruned_revision AS prunedRevision, protocol`;

export function getIdentity(hostId: string): HostIdentity | undefined {
  return prepare<HostIdentity>(`SELECT ${COLUMNS} FROM host_identities WHERE host_id = ?`).get(hostId);
}

/** Gives a host its key. What an earlier agent had applied or reported no longer counts; the revision goes on. */
export function putKey(tx: WriteTransaction, hostId: string, publicKey: string, protocol: number): void {
  tx.prepare(
    `INSERT INTO host_identities (host_id, public_key, protocol) VALUES (?, ?, ?) ON CONFLICT (host_id) DO UPDATE SET
       public_key = excluded.public_key, protocol = excluded.protocol, instance_id = '', last_seen_ms = 0,
       applied_revision = 0, report_sequence = 0`,
  ).run(hostId, publicKey, protocol);
}

/** Makes a process of the agent the one that speaks for the host; its reports are numbered anew. */
export function putInstance(tx: WriteTransaction, hostId: string, instanceId: string): void {
  tx.prepare('UPDATE host_identities SET instance_id = ?, report_sequence = 0 WHERE host_id = ?').run(
    instanceId,
    hostId,
  );
}

/** Notes a heartbeat: on the identity, and on the host's record without moving `updated`. */
export function markSeen(
  tx: WriteTransaction,
  hostId: string,
  seen: { nowMs: number; wireDate: string; appliedRevision: number; protocol: number },
): void {
  tx.prepare('UPDATE host_identities SET last_seen_ms = ?, applied_revision = ?, protocol = ? WHERE host_id = ?').run(
    seen.nowMs,
    seen.appliedRevision,
    seen.protocol,
    hostId,
  );
  tx.prepare('UPDATE hosts SET last_heartbeat = ? WHERE id = ?').run(seen.wireDate, hostId);
  bumpVersion('hosts');
}

export function putReportSequence(tx: WriteTransaction, hostId: string, sequence: number): void {
  tx.prepare('UPDATE host_identities SET report_sequence = ? WHERE host_id = ?').run(sequence, hostId);
}

/** The host's next revision. Call it in the transaction that changes what the host must know. */
export function raiseRevision(tx: WriteTransaction, hostId: string): number {
  const row = tx
    .prepare<{ revision: number }>(
      `INSERT INTO host_identities (host_id, public_key, revision) VALUES (?, '', 1)
     ON CONFLICT (host_id) DO UPDATE SET revision = revision + 1 RETURNING revision`,
    )
    .get(hostId);
  return row!.revision;
}

/**
 * Moves a host's revision past one that its agent says to hold: after a backup was restored the console counts from
 * less than it once sent, and an agent never goes back. The next answer is then a full one.
 */
export function outrunRevision(tx: WriteTransaction, hostId: string, agentRevision: number): void {
  const next = agentRevision + 1;
  tx.prepare('UPDATE host_identities SET revision = ?, pruned_revision = ? WHERE host_id = ?').run(next, next, hostId);
}

/** Notes that tombstones up to a revision are no longer kept. */
export function putPrunedRevision(tx: WriteTransaction, hostId: string, revision: number): void {
  tx.prepare('UPDATE host_identities SET pruned_revision = max(pruned_revision, ?) WHERE host_id = ?').run(
    revision,
    hostId,
  );
}

export function removeIdentity(tx: WriteTransaction, hostId: string): void {
  tx.prepare('DELETE FROM host_identities WHERE host_id = ?').run(hostId);
}

/** Hosts that were last seen at a time that is still to come: the clock was set back since, and they'd seem seen for as long. */
export function findSeenAhead(nowMs: number): string[] {
  const sql = 'SELECT host_id FROM host_identities WHERE last_seen_ms > ?';
  return prepare<{ host_id: string }>(sql)
    .all(nowMs + CLOCK_TOLERANCE_MS)
    .map(({ host_id }) => host_id);
}

export function markSeenNow(tx: WriteTransaction, hostId: string, nowMs: number): void {
  tx.prepare('UPDATE host_identities SET last_seen_ms = ? WHERE host_id = ?').run(nowMs, hostId);
}

/**
 * Hosts that are called online and have been silent for twice their interval and 20 seconds, reckoned from the console's
 * start at the earliest.
 */
export function findSilentHosts(times: { nowMs: number; startedAtMs: number }): { id: string; lastSeenMs: number }[] {
  return prepare<{ id: string; lastSeenMs: number }>(
    `SELECT hosts.id AS id, host_identities.last_seen_ms AS lastSeenMs
     FROM host_identities JOIN hosts ON hosts.id = host_identities.host_id
     WHERE host_identities.last_seen_ms < @nowMs - 20000 AND hosts.status = 'online'
       AND max(host_identities.last_seen_ms, @startedAtMs) < @nowMs - 20000 - 2000 * hosts.heartbeat_interval_seconds`,
  ).all(times);
}
