import 'server-only';
import { nowMs, toWireDate } from '@/lib/clock';
import { fieldError } from '@/lib/errors';
import { type Actor, hasFullAccess } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { recordAudit } from '@/lib/records/audit';
import { write } from '@/lib/records/transaction';
import { timeBoundsOf } from '@/lib/quotas/bounds';
import { timeLimits } from '@/lib/vocabulary/time-limits';
import { workspaces } from '../collection';
import { afterKeep } from './plan';

const HOUR_MS = 3_600_000;

/**
 * Has the clock neither stop nor delete a workspace before `until` (ISO 8601; empty takes that back). Throws `not_found`,
 * `forbidden` for whoever may not start and stop it, and `invalid` at `until` for what is past, or too far ahead.
 */
export function keepWorkspace(
  actor: Actor,
  { id, until }: { id: string; until: string },
): Promise<{ keptUntil: string }> {
  return write((tx) => {
    const workspace = requireAct(actor, { collection: workspaces, id, act: 'deploy', reader: tx });
    if (workspace.template) throw fieldError('until', 'validation_template', "Templates can't be kept.");
    const keptUntil = until === '' ? '' : readUntil(until, keepHours(actor, workspace.created_by));
    tx.patch(workspaces, id, afterKeep(workspace, keptUntil, nowMs()));
    const on = { collection: 'workspaces', record: id, name: workspace.name };
    recordAudit(tx, { action: 'workspace.keep', actor, on, details: { until: keptUntil } });
    return { keptUntil };
  });
}

/** For how many hours from now somebody may keep a workspace of an owner. */
export function keepHours(actor: Actor, ownerId: string): number {
  return (hasFullAccess(actor) ? null : timeBoundsOf(ownerId).keepHoursMax.bound) ?? timeLimits.keepHoursMax;
}

function readUntil(until: string, hours: number): string {
  const ms = Date.parse(until);
  if (!(ms > nowMs())) throw fieldError('until', 'validation_past', 'Choose a moment that is yet to come.');
  if (ms <= nowMs() + hours * HOUR_MS) return toWireDate(ms);
  throw fieldError('until', 'validation_above_ceiling', `Workspaces are kept for at most ${hours} hours at a time.`);
}
