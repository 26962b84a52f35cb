import 'server-only';
import { nowMs } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { hosts } from '@/lib/hosts/collection';
import { log } from '@/lib/log';
import { system } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write, type WriteTransaction } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { allowedWorkspaceActions } from '@/lib/vocabulary/workspace-status';
import { workspaces, type WorkspaceRow } from '../collection';
import { statusOf } from '../moves';
import { ownerOf, prepareOwnersStart } from '../owners-start';
import { performRequest } from '../request-workspace';
import { tellOwner } from '../times/tell-owner';
import { afterDrain } from '../times/plan';

const AT_ONCE = 50;
const DUE = `SELECT id FROM workspaces WHERE drain IN ('stop', 'start', 'leave') AND id > ? ORDER BY id LIMIT ${AT_ONCE}`;

const state = () => singleton('maintenance-sweep', () => ({ isUnderWay: false }));

/**
 * Stops what a maintenance is to stop, and starts again what it stopped. Each is claimed in the transaction that does it, so that
 * a console that was killed goes on where it was. Does nothing while one goes on.
 */
export async function sweepMaintenance(): Promise<void> {
  if (state().isUnderWay) return;
  state().isUnderWay = true;
  try {
    // What fails is left for the next sweep.
    for (let due = readDue(''); due.length > 0; due = readDue(due.at(-1)!)) {
      for (const id of due) await runOne(id);
    }
  } finally {
    state().isUnderWay = false;
  }
}

function readDue(after: string): string[] {
  return prepare(DUE).pluck().all(after) as string[];
}

async function runOne(id: string): Promise<void> {
  try {
    const row = new StoreReader().get(workspaces, id);
    if (row?.drain === 'start') await prepareOwnersStart(row);
    await write((tx) => {
      const present = tx.get(workspaces, id);
      if (present?.drain === 'stop') stop(tx, present);
      else if (present?.drain === 'start') start(tx, present);
      else if (present?.drain === 'leave') tx.observe(workspaces, id, afterDrain(present, nowMs()));
    });
  } catch (error) {
    log.error({ err: error, workspace: id }, 'what a maintenance had to do with a workspace could not be done');
  }
}

function isPossible(row: WorkspaceRow, action: 'start' | 'stop'): boolean {
  return allowedWorkspaceActions({ ...row, status: statusOf(row) }).includes(action);
}

function stop(tx: WriteTransaction, row: WorkspaceRow): void {
  const host = tx.get(hosts, row.host);
  if (!host?.maintenance || row.desired !== 'running' || !isPossible(row, 'stop')) {
    tx.observe(workspaces, row.id, afterDrain(row, nowMs()));
    return;
  }
  const { reason } = host.maintenance;
  tx.observe(workspaces, row.id, { drain: 'stopped' });
  performRequest(tx, system, {
    workspaceId: row.id,
    action: 'stop',
    clock: { reason: `Stopped for the maintenance of host ${host.name}.`, details: { by: 'maintenance', reason } },
    isDrain: true,
  });
  tellOwner(tx, row, { kind: 'drainStopped', details: { host: host.name, reason } });
}

function start(tx: WriteTransaction, row: WorkspaceRow): void {
  const host = tx.get(hosts, row.host);
  tx.observe(workspaces, row.id, afterDrain(row, nowMs()));
  // Whoever has disabled it since does not want it to run.
  if (!host || !row.enabled || row.desired !== 'stopped') return;
  const owner = ownerOf(row);
  const details = { by: 'maintenance' };
  try {
    if (!owner) throw new AppError('forbidden', 'The account of its owner is disabled or gone.');
    const clock = { reason: `Started again after the maintenance of host ${host.name}.`, details };
    tx.attempt(() => void performRequest(tx, owner, { workspaceId: row.id, action: 'start', clock, isDrain: true }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = error.message.slice(0, 500);
    tellOwner(tx, row, { kind: 'drainStartFailed', details: { host: host.name, reason } });
    const on = { collection: workspaces.name, record: row.id, name: row.name };
    recordAudit(tx, { action: 'workspace.start', outcome: 'failure', on, details: { ...details, reason } });
  }
}
