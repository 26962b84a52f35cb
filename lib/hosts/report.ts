import 'server-only';
import { nowMs, toWireDate } from '@/lib/clock';
import type { ReportAnswer, ReportRequest, StepEvent } from '@/lib/protocol/calls';
import { workspaces } from '@/lib/collections/workspaces';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { getIdentity, putReportSequence } from '@/lib/stores/host-identities';
import { addStep, findDeployment, openRepair } from './deployments';
import { requireHost } from './heartbeat';
import { claimInstance } from './instances';
import { applyJobEvent } from './job-events';
import { applyObserved } from './observed-workspaces';

/**
 * Takes what an agent saw and did, each report once: one that is sent again is acknowledged and changes nothing.
 * Throws the refusals `unknownHost` and `duplicateInstance`.
 */
export function takeReport(hostId: string, report: ReportRequest): Promise<ReportAnswer> {
  return write((tx) => {
    const known = requireHost(tx, hostId);
    const identity = claimInstance(tx, known.identity, report.instance, known.host.heartbeat_interval_seconds);
    if (report.sequence > identity.reportSequence) {
      putReportSequence(tx, hostId, report.sequence);
      applyReport(tx, hostId, report);
    }
    return { now: nowMs(), acknowledged: report.sequence, revision: getIdentity(hostId)!.revision };
  });
}

/** Steps come before states, so that a deployment's last step is in its timeline when the state ends it. */
function applyReport(tx: WriteTransaction, hostId: string, report: ReportRequest): void {
  const receivedMs = nowMs();
  for (const event of report.jobs) applyJobEvent(tx, hostId, event);
  for (const step of report.steps) applyStepEvent(tx, hostId, { step, sentAt: report.sentAt, receivedMs });
  for (const observed of report.objects) applyObserved(tx, hostId, observed);
}

/** The step's moment by the console's clock: as long before the receipt as the agent says it was before sending. */
function applyStepEvent(
  tx: WriteTransaction,
  hostId: string,
  { step, sentAt, receivedMs }: { step: StepEvent; sentAt: number; receivedMs: number },
): void {
  if (tx.get(workspaces, step.workspaceId)?.host !== hostId) return;
  const found = findDeployment(tx, step);
  if (!found) return;
  // What the host does beyond a deployment that is done is its own doing: someone changed the container by hand.
  const deployment = found.status === 'succeeded' ? openRepair(tx, found) : found;
  const age = Math.min(Math.max(0, sentAt - step.at), receivedMs);
  const at = toWireDate(receivedMs - age);
  addStep(tx, deployment, {
    key: step.key,
    status: step.status,
    message: step.message,
    at: at < deployment.created ? deployment.created : at,
  });
}
