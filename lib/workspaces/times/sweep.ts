import 'server-only';
import { nowMs, toWireDate } from '@/lib/clock';
import { log } from '@/lib/log';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { workspaces, type WorkspaceRow } from '../collection';
import { prepareDueStart, runDue } from './run-due';
import { askQuiet } from './quiet-hosts';

/** So many are read at once, and so many done before others have their turn. */
const ROUND = 500;
const AT_ONCE = 5;
/** What fails for a reason of the console's own is tried again then. */
const AGAIN_MS = 5 * 60_000;

const DUE = `SELECT id FROM workspaces WHERE next_time_at > '' AND next_time_at <= ? ORDER BY next_time_at LIMIT ${ROUND}`;

const state = () => singleton('time-sweep', () => ({ isUnderWay: false }));

/**
 * Does what the clock has to do with workspaces: stops what nobody uses, starts and stops by schedules, deletes what was
 * stopped for long. Each is claimed in the transaction that does it. Does nothing while one goes on.
 */
export async function sweepTimes(): Promise<void> {
  if (state().isUnderWay) return;
  state().isUnderWay = true;
  try {
    for (let due = readDue(); due.length > 0; due = readDue()) await runRound(due);
  } finally {
    state().isUnderWay = false;
  }
}

function readDue(): string[] {
  return prepare(DUE).pluck().all(toWireDate(nowMs())) as string[];
}

async function runRound(ids: readonly string[]): Promise<void> {
  const reader = new StoreReader();
  const rows = ids.map((id) => reader.get(workspaces, id)).filter((row) => row !== undefined);
  const now = toWireDate(nowMs());
  const looked = rows.filter(({ lookAt }) => lookAt !== '' && lookAt <= now);
  const quiet = await askQuiet(looked.map(({ host }) => host));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await Promise.all(rows.slice(from, from + AT_ONCE).map((row) => runOne(row, quiet)));
    // Requests have their turn in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function runOne(row: WorkspaceRow, quiet: ReadonlyMap<string, number>): Promise<void> {
  try {
    const isPrepared = await prepareDueStart(row);
    await write((tx) => {
      const present = tx.get(workspaces, row.id);
      const at = nowMs();
      if (!present || present.nextTimeAt === '' || present.nextTimeAt > toWireDate(at)) return;
      runDue(tx, present, { quietSeconds: quiet.get(`${present.host}/${present.id}`), isPrepared, atMs: at });
    });
  } catch (error) {
    log.error({ err: error, workspace: row.id }, 'what was due of a workspace could not be done');
    const nextTimeAt = toWireDate(nowMs() + AGAIN_MS);
    await write((tx) => tx.observe(workspaces, row.id, { nextTimeAt }));
  }
}
