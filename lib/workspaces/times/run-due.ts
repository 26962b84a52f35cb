import 'server-only';
import { nowMs, toWireDate } from '@/lib/clock';
import { AppError, isProblem } from '@/lib/errors';
import { hosts } from '@/lib/hosts/collection';
import { closedProblem } from '@/lib/hosts/takes-new';
import { type Actor, system } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import type { WriteTransaction } from '@/lib/records/transaction';
import { allowedWorkspaceActions, type WorkspaceStatus } from '@/lib/vocabulary/workspace-status';
import { workspaces, type WorkspaceRow } from '../collection';
import { deleteWorkspace } from '../delete-workspace';
import { statusOf } from '../moves';
import { ownerOf, prepareOwnersStart } from '../owners-start';
import { performRequest } from '../request-workspace';
import { mailDeletion } from './mail-deletions';
import { tellOwner } from './tell-owner';
import {
  afterClosed,
  afterDrain,
  afterLook,
  afterNoRoom,
  type Due,
  isDrained,
  msOf,
  takeDeletion,
  takeSchedule,
} from './plan';

const MINUTE_MS = 60_000;
/** How late a start or a stop of a schedule is still done, where the console was down at its time. */
const START_WINDOW_MS = 2 * 60 * MINUTE_MS;
const STOP_WINDOW_MS = 12 * 60 * MINUTE_MS;
/** What was asked to run and is so failed, or ended by itself. */
const DOWN: readonly WorkspaceStatus[] = ['stopped', 'error'];
const IS_LATE_MS = 2 * MINUTE_MS;

/** Whether a start is due and what its owner needs for it is there. */
export async function prepareDueStart(row: WorkspaceRow): Promise<boolean> {
  return isStartDue(row, nowMs()) && prepareOwnersStart(row);
}

function isStartDue({ nextStartAt }: WorkspaceRow, atMs: number): boolean {
  return nextStartAt !== '' && msOf(nextStartAt) <= atMs;
}

interface Facts {
  /** For which it is known not to be in use; undefined where nobody can tell. */
  quietSeconds: number | undefined;
  isPrepared: boolean;
  atMs: number;
}

/** Does all that is due of a workspace, and notes what comes next. The caller has claimed it in this transaction. */
export function runDue(tx: WriteTransaction, workspace: WorkspaceRow, facts: Facts): void {
  let row: WorkspaceRow | undefined = workspace;
  const isLookDue = row.lookAt !== '' && msOf(row.lookAt) <= facts.atMs;
  if (isLookDue) row = runLook(tx, row, facts);
  // What was not prepared in time is due again in a moment.
  const isReady = facts.isPrepared || !isStartDue(workspace, facts.atMs) || !ownerOf(workspace);
  const hasTimes = row && (row.nextStartAt !== '' || row.nextStopAt !== '');
  if (row && hasTimes && isReady) row = runSchedule(tx, row, facts.atMs);
  if (row) runDeletion(tx, row, facts.atMs);
}

function runLook(tx: WriteTransaction, row: WorkspaceRow, { quietSeconds, atMs }: Facts): WorkspaceRow | undefined {
  const { change, then } = afterLook(row, quietSeconds, atMs);
  const after = tx.observe(workspaces, row.id, change);
  const minutes = row.idleMinutes;
  if (then === 'warn' && after) tellOwner(tx, after, { kind: 'idleSoon', details: { minutes, at: after.stopsAt } });
  if (then !== 'stop' || !after) return after;
  const isStopped = ask(tx, after, {
    action: 'stop',
    actor: system,
    clock: { reason: `Stopped after ${minutes} minutes without use.`, details: { by: 'idle', minutes } },
  });
  if (isStopped) tellOwner(tx, after, { kind: 'idleStopped', details: { minutes } });
  return tx.get(workspaces, row.id);
}

function runSchedule(tx: WriteTransaction, row: WorkspaceRow, atMs: number): WorkspaceRow | undefined {
  const { due, change } = takeSchedule(row, atMs);
  const after = tx.observe(workspaces, row.id, change);
  if (!due || !after) return after;
  const window = due.action === 'start' ? START_WINDOW_MS : STOP_WINDOW_MS;
  const at = toWireDate(due.atMs);
  // What its host's maintenance stopped is not started again beyond its time.
  if (due.action === 'stop' && isDrained(after)) return tx.observe(workspaces, row.id, afterDrain(after, atMs));
  if (!isWanted(after, due.action)) return after;
  if (atMs - due.atMs > window) {
    tellOwner(tx, after, { kind: due.action === 'start' ? 'startMissed' : 'stopMissed', details: { at } });
    return after;
  }
  const owner = due.action === 'start' ? ownerOf(after) : system;
  try {
    if (!owner) throw new AppError('forbidden', 'The account of its owner is disabled or gone.');
    const clock = { reason: wordsOf(due, atMs), details: { by: 'schedule', at } };
    tx.attempt(() => void ask(tx, after, { action: due.action, actor: owner, clock }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const again = isNoRoom(error) ? afterNoRoom(after, atMs) : undefined;
    if (again) return tx.observe(workspaces, row.id, again);
    const reason = error.message.slice(0, 500);
    tellOwner(tx, after, { kind: 'startFailed', details: { at, reason } });
    const on = { collection: 'workspaces', record: row.id, name: row.name };
    recordAudit(tx, { action: 'workspace.start', outcome: 'failure', on, details: { by: 'schedule', at, reason } });
  }
  return tx.get(workspaces, row.id);
}

/** Whether its owner's quota is all that stands in the way. */
function isNoRoom({ fields }: AppError): boolean {
  const problems = Object.values(fields);
  return problems.length > 0 && problems.every((each) => isProblem(each) && each.code === 'validation_quota');
}

/** Whether there is something to start or stop: what is as it should be stays, and what is disabled is not started. */
function isWanted(row: WorkspaceRow, action: Due['action']): boolean {
  if (row.desired === 'absent') return false;
  if (action === 'stop') return row.desired === 'running';
  const isDown = row.desired !== 'running' || DOWN.includes(statusOf(row));
  return row.enabled && isDown;
}

function wordsOf({ action, atMs }: Due, nowAtMs: number): string {
  const minutes = Math.round((nowAtMs - atMs) / MINUTE_MS);
  const isLate = nowAtMs - atMs >= IS_LATE_MS;
  if (action === 'start') {
    return isLate ? `Started by its schedule, ${minutes} minutes late.` : 'Started by its schedule.';
  }
  return isLate ? `Stopped by its schedule, ${minutes} minutes late.` : 'Stopped by its schedule.';
}

/** Asks for it where it is possible now; what is under way already goes on by itself. */
function ask(
  tx: WriteTransaction,
  row: WorkspaceRow,
  asked: {
    action: 'start' | 'stop';
    actor: Actor;
    clock: { reason: string; details: Record<string, unknown> };
  },
): boolean {
  if (!allowedWorkspaceActions({ ...row, status: statusOf(row) }).includes(asked.action)) return false;
  performRequest(tx, asked.actor, { workspaceId: row.id, ...asked });
  return true;
}

function runDeletion(tx: WriteTransaction, row: WorkspaceRow, atMs: number): void {
  const { change, then } = takeDeletion(row, atMs);
  const host = then && tx.get(hosts, row.host);
  if (host && closedProblem(host)) return void tx.observe(workspaces, row.id, afterClosed(row, atMs));
  const days = row.deleteAfterDays;
  const isSame = Object.entries(change).every(([key, value]) => row[key as keyof WorkspaceRow] === value);
  const after = isSame ? row : tx.observe(workspaces, row.id, change);
  if (then === 'announce' && after) {
    tellOwner(tx, after, { kind: 'deleteSoon', details: { days, at: after.deletesAt } });
    mailDeletion(tx, after);
  }
  if (then !== 'delete' || !after) return;
  tellOwner(tx, after, { kind: 'deleted', details: { days } });
  const on = { collection: 'workspaces', record: row.id, name: row.name };
  recordAudit(tx, { action: 'workspace.delete', actor: system, on, details: { by: 'deleteAfter', days } });
  deleteWorkspace(tx, after, { actor: system, force: false });
}
