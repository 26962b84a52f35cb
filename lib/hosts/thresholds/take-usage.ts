import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import { tellPersonAnew } from '@/lib/notices/collection';
import type { HeartbeatRequest } from '@/lib/protocol/calls';
import type { WriteTransaction } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { offlineAfterMs } from '@/lib/vocabulary/host';
import type { HostAlarms } from '@/lib/vocabulary/host-thresholds';
import type { HostRow } from '../collection';
import { thresholdsOf } from './thresholds-of';
import { type Crossing, type HostUse, type Turning, weigh } from './weigh';

/** Of hosts that are about to cross a bound, since when: a console that begins anew counts anew. */
const turnings = singleton('host-turnings', () => new Map<string, Turning>());

const WHO_MAY_MODIFY = 'SELECT id FROM users WHERE enabled = 1 AND (is_admin = 1 OR id = ?)';

/**
 * Weighs what a heartbeat tells against the host's bounds, and tells whoever may change the host of what is crossed. Answers what
 * that changes of its record, nothing at almost every beat: then nothing is read or written here.
 */
export function takeUsage(
  tx: WriteTransaction,
  host: HostRow,
  { beat, now }: { beat: HeartbeatRequest; now: { ms: number; wireDate: string; lastSeenMs: number } },
): { alarms?: HostAlarms } {
  const held = host.alarms ?? {};
  const { alarms, turning, crossings } = weigh(thresholdsOf(host), percentsOf(beat), {
    alarms: held,
    turning: turnings.get(host.id) ?? {},
    nowMs: now.ms,
    wireDate: now.wireDate,
    isAfterGap: now.ms - now.lastSeenMs > offlineAfterMs(host.heartbeat_interval_seconds),
  });
  tx.afterCommit.push(() => {
    if (Object.keys(turning).length > 0) turnings.set(host.id, turning);
    else turnings.delete(host.id);
  });
  if (crossings.length > 0) tell(tx, host, crossings);
  return isDeepStrictEqual(alarms, held) ? {} : { alarms };
}

function percentsOf({ usage, resources: { diskBytes, diskFreeBytes } }: HeartbeatRequest): HostUse {
  const disk = diskBytes > 0 ? { disk: ((diskBytes - diskFreeBytes) / diskBytes) * 100 } : {};
  return { ...disk, ...usage };
}

function tell(tx: WriteTransaction, host: HostRow, crossings: readonly Crossing[]): void {
  const people = tx.prepare<{ id: string }>(WHO_MAY_MODIFY).all(host.created_by);
  for (const { measure, isAbove, percent, bound } of crossings) {
    const details = { measure, percent: Math.round(percent), bound: bound.percent, minutes: bound.minutes };
    const notice = { host: host.id, name: host.name, kind: isAbove ? 'hostAbove' : 'hostOver', details } as const;
    // What goes up and down about a bound is one notice, the newest: it takes no other's room.
    for (const { id } of people) tellPersonAnew(tx, { user: id, ...notice });
  }
}
