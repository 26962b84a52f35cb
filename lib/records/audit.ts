import 'server-only';
import { auditTable } from '@/db/schema/audit';
import { bumpVersion } from '@/db/versions';
import { nowMs, toWireDate } from '@/lib/clock';
import type { AuditAction, AuditOutcome, AuditWay } from '@/lib/vocabulary/audit';
import { limits } from '@/lib/vocabulary/limits';
import { newTimedId } from '@/lib/ids';
import { log } from '@/lib/log';
import { actorUserId, system, type Actor } from '@/lib/policies/actor';
import { prepare } from './statements';
import { write, type WriteTransaction } from './transaction';

const DAY_MS = 86_400_000;
const SWEEP_BATCH = 5000;
const USER_AGENT_LENGTH = 300;

/** Where an act came from and how its actor was known. */
export interface AuditOrigin {
  readonly address: string;
  readonly userAgent: string;
  readonly via: AuditWay;
}

export interface AuditEntry {
  action: AuditAction;
  outcome?: AuditOutcome;
  /** Who did it; the console itself where left out. */
  actor?: Actor;
  /** Where their account may be gone by now. */
  userName?: string;
  /** Where the actor does not say it. */
  from?: AuditOrigin;
  /** What it was done to, and how that was called then. */
  on?: { collection: string; record: string; name: string };
  /** Never a secret value: it is shown to every admin and exported. */
  details?: Record<string, unknown>;
}

const auditLog = { name: 'audit', table: auditTable };

const NAME = `SELECT coalesce(nullif(name, ''), username) FROM users WHERE id = ?`;

/** How a person is called now: for rows that outlive them. */
export function nameOfUser(id: string): string {
  return id === '' ? '' : ((prepare(NAME).pluck().get(id) as string | undefined) ?? '');
}

/** The same of a group. */
export function nameOfGroup(id: string): string {
  return (prepare('SELECT name FROM "groups" WHERE id = ?').pluck().get(id) as string | undefined) ?? '';
}

function wayOf(actor: Actor): AuditWay {
  if (actor.kind === 'user') return 'token';
  return actor.kind === 'admin' ? 'admin' : 'console';
}

/** Adds a row to the audit log, as part of the act that it tells of. */
export function recordAudit(tx: WriteTransaction, entry: AuditEntry): void {
  const { action, outcome = 'success', actor = system, on, details } = entry;
  const from = entry.from ?? (actor.kind === 'user' || actor.kind === 'admin' ? actor.from : undefined);
  const user = actorUserId(actor);
  tx.insert(auditLog, {
    // By time: with thousands of rows an hour an index of ids that grows at its end stays cheap.
    id: newTimedId(nowMs()),
    user,
    // Who deletes their own account is gone by then.
    userName: entry.userName || nameOfUser(user) || (on?.record === user ? on.name : ''),
    action,
    outcome,
    collection: on?.collection ?? '',
    record: on?.record ?? '',
    recordName: on?.name ?? '',
    address: from?.address ?? '',
    userAgent: (from?.userAgent ?? '').slice(0, USER_AGENT_LENGTH),
    via: from?.via ?? wayOf(actor),
    details: details ?? {},
  });
}

/** The same for an act that is no transaction of its own. Never fails the act: what can't be written is logged. */
export async function recordAuditAlone(entry: AuditEntry): Promise<void> {
  try {
    await write((tx) => recordAudit(tx, entry));
  } catch (error) {
    log.error({ err: error, action: entry.action }, 'the audit log could not be written');
  }
}

/** Removes rows past their days, some at a time. */
export async function sweepAudit(): Promise<void> {
  const before = toWireDate(nowMs() - limits.auditKeptDays * DAY_MS);
  const remove = 'DELETE FROM audit WHERE rowid IN (SELECT rowid FROM audit WHERE created < ? LIMIT ?)';
  for (let removed = SWEEP_BATCH; removed === SWEEP_BATCH;) {
    removed = await write((tx) => tx.prepare(remove).run(before, SWEEP_BATCH).changes);
    if (removed > 0) bumpVersion('audit');
  }
}
