import 'server-only';
import { builds } from './builds';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import type { JobLogRequest } from '@/lib/protocol/calls';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { type BuildLogState, getLogState, hasChunk, insertChunk, type LogChunk, putLogState } from './build-logs';
import { readCheck } from './check/kept-checks';
import { tellBuildFollowers } from './build-log-feed';

export const TRUNCATION_MARKER = '\n[The log is longer than is kept. The rest is left out.]\n';

/**
 * Keeps numbered chunks of a job's log, each once and in any order, up to the limit; what comes after it is acknowledged
 * and dropped. Throws `not_found` for a job that is not this host's.
 */
export function takeJobLog(
  hostId: string,
  jobId: string,
  { chunks }: JobLogRequest,
): Promise<{ acknowledged: number }> {
  return write((tx) => {
    const job = tx.get(builds, jobId) ?? readCheck(jobId);
    if (job?.host !== hostId) throw new AppError('not_found', 'This host has no such job.');
    const before = getLogState(jobId);
    let state = before;
    for (const chunk of [...chunks].sort((a, b) => a.sequence - b.sequence)) state = addChunk(tx, jobId, state, chunk);
    state = acknowledge(jobId, state);
    putLogState(tx, jobId, state);
    if (state.acknowledged > before.acknowledged) tx.afterCommit.push(() => tellBuildFollowers(jobId));
    return { acknowledged: state.acknowledged };
  });
}

function addChunk(tx: WriteTransaction, buildId: string, state: BuildLogState, chunk: LogChunk): BuildLogState {
  if (chunk.sequence <= state.acknowledged) return state;
  if (state.truncated) return { ...state, acknowledged: chunk.sequence };
  const bytes = state.bytes + Buffer.byteLength(chunk.text);
  if (bytes <= limits.buildLogBytes) return insertChunk(tx, buildId, chunk) ? { ...state, bytes } : state;
  insertChunk(tx, buildId, { sequence: chunk.sequence, text: TRUNCATION_MARKER });
  return { acknowledged: chunk.sequence, bytes: state.bytes, truncated: true };
}

function acknowledge(buildId: string, state: BuildLogState): BuildLogState {
  let { acknowledged } = state;
  while (hasChunk(buildId, acknowledged + 1)) acknowledged += 1;
  return { ...state, acknowledged };
}
