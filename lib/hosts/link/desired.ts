import 'server-only';
import { nowMs } from '@/lib/clock';
import { log } from '@/lib/log';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { DesiredKind, DesiredObject } from '@/lib/protocol/specs/desired';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { UnsealError } from '@/lib/secrets';
import { getObject, listObjectsSince, pruneTombstones, putObject, type StoredObject } from './desired-objects';
import { getIdentity, putPrunedRevision, raiseRevision } from './host-identities';
import { type AnyKind, type Kind, kindOf, listKinds } from './kinds';
import { wakeHost } from './links';

/** Sets what a host is to hold, or with null that it is to go, and wakes the host once that has committed. */
export function putDesired<Stored>(
  tx: WriteTransaction,
  { name }: Kind<DesiredKind, Stored>,
  object: { hostId: string; objectId: string; spec: Stored | null },
): void {
  const revision = raiseRevision(tx, object.hostId);
  putObject(tx, { ...object, kind: name, revision });
  tx.afterCommit.push(() => wakeHost(object.hostId, revision));
}

/** What a host was last asked to hold: undefined when nothing, `spec` null when it is to go. Secrets are sealed. */
export function getDesired<Stored>(
  { name }: Kind<DesiredKind, Stored>,
  hostId: string,
  objectId: string,
): { spec: Stored | null; revision: number } | undefined {
  return getObject(hostId, name, objectId) as { spec: Stored | null; revision: number } | undefined;
}

/**
 * What an agent that holds `since` has to change. Everything when it holds nothing, more than the console knows of, or
 * less than the tombstones that are kept; undefined when it is up to date.
 */
export function readDesired(hostId: string, since: number): DesiredAnswer | undefined {
  const identity = getIdentity(hostId);
  const revision = identity?.revision ?? 0;
  if (since === revision && since > 0) return undefined;
  const full = since <= 0 || since > revision || since < (identity?.prunedRevision ?? 0);
  // A full answer holds tombstones too: an agent that starts anew has forgotten what it was told to remove.
  const stored = listObjectsSince(hostId, full ? 0 : since).filter((object) => !full || isOwedAWord(object));
  const objects = stored.flatMap(toDesiredObject);
  return { now: nowMs(), revision, full, objects };
}

/** Whether an agent that holds nothing has to hear of it: of a tombstone where it must say that the object is gone. */
function isOwedAWord({ kind, spec }: StoredObject): boolean {
  return spec !== null || !kindOf(kind)?.isGoneOnceApplied;
}

/** Drops the tombstones that the agent has applied and owes no word for. */
export function forgetApplied(tx: WriteTransaction, hostId: string, appliedRevision: number): void {
  for (const { name, isGoneOnceApplied } of listKinds()) {
    const pruned = isGoneOnceApplied ? pruneTombstones(tx, hostId, name, appliedRevision) : 0;
    if (pruned > 0) putPrunedRevision(tx, hostId, pruned);
  }
}

/** The object as the agent reads it, secrets opened; none for a kind that only a newer console knows. */
function toDesiredObject({ hostId, kind: name, objectId, revision, spec }: StoredObject): DesiredObject[] {
  const kind = kindOf(name);
  if (!kind) {
    log.warn({ hostId, kind: name, objectId }, 'a stored object is of a kind that this console does not know');
    return [];
  }
  try {
    const opened = spec === null ? null : kind.open(spec);
    return [{ kind: kind.name, id: objectId, revision, spec: opened } as DesiredObject];
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    tellUnreadable(kind, { hostId, id: objectId, message: error.message });
    return [];
  }
}

/** The host goes on with what it has of the object, and with every other. */
function tellUnreadable(kind: AnyKind, about: { hostId: string; id: string; message: string }): void {
  log.error({ kind: kind.name, ...about }, 'a stored secret can not be read');
  write((tx) => kind.unreadable?.(tx, about)).catch((error: unknown) => {
    log.warn({ err: error, ...about }, 'what can not be read could not be shown');
  });
}
