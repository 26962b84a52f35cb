import 'server-only';
import { bumpVersion } from '@/db/versions';
import { wireNow } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import type { Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { recordAudit } from '@/lib/records/audit';
import { prepare } from '@/lib/records/statements';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import type { HostMaintenance } from '@/lib/vocabulary/host';

export interface MaintenanceState {
  maintenance: HostMaintenance | null;
  /** Workspaces that run there, or are asked to. */
  running: number;
  /** Those that the maintenance stopped, or is about to, and nobody touched since. */
  stopped: number;
}

const COUNT = `SELECT
    COUNT(*) FILTER (WHERE desired = 'running' AND drain != 'stop') AS running,
    COUNT(*) FILTER (WHERE drain IN ('stop', 'stopped')) AS stopped
  FROM workspaces WHERE host = ? AND template = 0`;

const STOP = `UPDATE workspaces SET drain = 'stop' WHERE host = ? AND template = 0 AND desired = 'running' AND drain != 'stop'`;
const STAY = `UPDATE workspaces SET drain = 'stopped' WHERE host = ? AND drain IN ('start', 'leave')`;
const GO_ON = `UPDATE workspaces SET drain = '' WHERE host = ? AND drain = 'stop'`;
const END = `UPDATE workspaces SET drain = ? WHERE host = ? AND drain = 'stopped'`;

export function readMaintenance({ id, maintenance }: HostRow): MaintenanceState {
  const counts = prepare<{ running: number; stopped: number }>(COUNT).get(id)!;
  return { maintenance, ...counts };
}

/**
 * Has nothing new begun on a host from now on, or changes the reason for it. With `stopWorkspaces` what runs there is stopped one
 * after another, and remembered. Throws `not_found`, and `forbidden` for whoever may not modify the host.
 */
export function beginMaintenance(
  actor: Actor,
  { hostId, reason, stopWorkspaces }: { hostId: string; reason: string; stopWorkspaces: boolean },
): Promise<MaintenanceState> {
  return write((tx) => {
    const host = requireHost(tx, actor, hostId);
    const maintenance = { reason: reason.replace(/\s+/g, ' '), since: host.maintenance?.since ?? wireNow() };
    const after = tx.patch(hosts, host.id, { maintenance }) ?? host;
    // What an earlier end had still to start waits for the next one.
    mark(tx, STAY, host.id);
    const stopping = stopWorkspaces ? mark(tx, STOP, host.id) : 0;
    audit(tx, actor, after, { on: true, reason: maintenance.reason, ...(stopWorkspaces && { stopping }) });
    return readMaintenance(after);
  });
}

/**
 * Has a host take what is asked of it again. With `startWorkspaces` those that the maintenance stopped and nobody touched since
 * are started one after another; what was not stopped yet runs on. Throws as `beginMaintenance`, and `conflict` where there is none.
 */
export function endMaintenance(
  actor: Actor,
  { hostId, startWorkspaces }: { hostId: string; startWorkspaces: boolean },
): Promise<MaintenanceState> {
  return write((tx) => {
    const host = requireHost(tx, actor, hostId);
    if (!host.maintenance) throw new AppError('conflict', `Host ${host.name} is not in maintenance.`);
    const after = tx.patch(hosts, host.id, { maintenance: null }) ?? host;
    mark(tx, GO_ON, host.id);
    const changes = mark(tx, END, startWorkspaces ? 'start' : 'leave', host.id);
    audit(tx, actor, after, { on: false, ...(startWorkspaces && { starting: changes }) });
    return readMaintenance(after);
  });
}

/** One statement for all workspaces of a host: nothing of it is theirs to see. Answers how many there were. */
function mark(tx: WriteTransaction, sql: string, ...params: string[]): number {
  tx.afterCommit.push(() => bumpVersion('workspaces'));
  return tx.prepare(sql).run(...params).changes;
}

function requireHost(tx: WriteTransaction, actor: Actor, id: string): HostRow {
  return requireAct(actor, { collection: hosts, id, act: 'modify', reader: tx });
}

function audit(tx: WriteTransaction, actor: Actor, host: HostRow, details: Record<string, unknown>): void {
  const on = { collection: hosts.name, record: host.id, name: host.name };
  recordAudit(tx, { action: 'host.maintenance', actor, on, details });
}
