import 'server-only';
import type { ZodError } from 'zod';
import { nowMs } from '@/lib/clock';
import { log } from '@/lib/log';
import type { AgentNews, ReportAnswer, ReportRead } from '@/lib/protocol/calls';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import type { UnsupportedObject } from '@/lib/protocol/specs/desired';
import { describeStorageFault } from '@/lib/storage-fault';
import { getObject } from './desired-objects';
import { requireHost } from './heartbeat';
import { getIdentity, putReportSequence } from './host-identities';
import { claimInstance } from './instances';
import { putUnknown } from './unknown-objects';
import { kindOf, type ReportSource } from './kinds';

/**
 * Takes what an agent saw and did, each report once: one that is sent again is acknowledged and changes nothing.
 * Throws the refusals `unknownHost` and `duplicateInstance`.
 */
export function takeReport(hostId: string, report: ReportRead): Promise<ReportAnswer> {
  return write((tx) => {
    const known = requireHost(tx, hostId);
    const identity = claimInstance(tx, known.identity, report, known.host.heartbeat_interval_seconds);
    if (report.sequence > identity.reportSequence) {
      putReportSequence(tx, hostId, report.sequence);
      applyReport(tx, report, { hostId, sentAt: report.sentAt, receivedMs: nowMs() });
    }
    return { now: nowMs(), acknowledged: report.sequence, revision: getIdentity(hostId)!.revision };
  });
}

/** Steps come before states, so that a deployment's last step is in its timeline when the state ends it. */
function applyReport(tx: WriteTransaction, report: ReportRead, from: ReportSource): void {
  for (const news of report.jobs) takeNews(tx, 'job', { news, from });
  for (const news of report.steps) takeNews(tx, 'step', { news, from });
  for (const news of report.objects) takeNews(tx, 'observed', { news, from });
  if (report.unknown) putUnknown(tx, from.hostId, report.unknown);
  for (const object of report.unsupported) takeUnsupported(tx, object, from);
}

/**
 * Hands a piece of news to its kind. What a newer agent tells and this console does not know is left out, and so is what it
 * fails at: the report would be sent again for ever. A disk that fails is no fault of the news.
 */
function takeNews(
  tx: WriteTransaction,
  sort: 'job' | 'step' | 'observed',
  { news, from }: { news: AgentNews; from: ReportSource },
): void {
  const take = kindOf(news.kind)?.[sort];
  let problem: ZodError | undefined;
  try {
    if (take) tx.attempt(() => (problem = take(tx, news, from)));
  } catch (error) {
    if (describeStorageFault(error)) throw error;
    log.error({ err: error, hostId: from.hostId, kind: news.kind, sort }, 'what a host told could not be taken');
    return;
  }
  if (take && !problem) return;
  const facts = { hostId: from.hostId, kind: news.kind, sort, problem: problem?.issues };
  log.warn(facts, 'a host told something that this console does not know');
}

/** What was asked anew since is not what the agent speaks of. */
function takeUnsupported(tx: WriteTransaction, object: UnsupportedObject, from: ReportSource): void {
  const { hostId } = from;
  log.warn({ hostId, ...object }, 'an agent is too old for what its host is to hold');
  if (getObject(hostId, object.kind, object.id)?.revision !== object.revision) return;
  kindOf(object.kind)?.unsupported?.(tx, object, from);
}
