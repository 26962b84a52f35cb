import 'server-only';
import { withAddress } from './port-addresses';
import { workspaces, type WorkspaceRow } from './collection';
import { toWireDate, wireNow } from '@/lib/clock';
import type { ObservedContainer } from '@/lib/vocabulary/workspace';
import type { WorkspaceStatus } from '@/lib/vocabulary/workspace-status';
import type { StoredWorkspaceSpec } from './spec';
import { type ObservedWorkspace, observedWorkspaceSchema, type StepEvent, stepEventSchema } from '@/lib/protocol/calls';
import type { UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { WorkspaceSpec } from '@/lib/protocol/specs/workspace';
import type { WriteTransaction } from '@/lib/records/transaction';
import { removeObject } from '@/lib/hosts/link/desired-objects';
import { putPrunedRevision } from '@/lib/hosts/link/host-identities';
import { defineKind, news, type ReportSource } from '@/lib/hosts/link/kinds';
import { openAccount } from '@/lib/hosts/registry-accounts';
import { tooOldMessage } from '@/lib/hosts/too-old';
import { tryOpen, UnsealError } from '@/lib/secrets';
import { addStep, findDeployment, finishDeployment, openRepair } from './deployment-log';
import { getDesired } from '@/lib/hosts/link/desired';
import { removeWorkspaceRecords } from './removal';
import { mapHashes } from './routes-of';
import { openHash } from './url-passwords';
import { moveWorkspace, statusOf } from './moves';

/** Workspaces on the host link: what a host runs for one, and what it tells of it. */
export const workspaceKind = defineKind('workspace', {
  open: openSpec,
  observed: news(observedWorkspaceSchema, applyObserved),
  step: news(stepEventSchema, applyStep),
  unsupported: applyUnsupported,
  unreadable: failWanted,
});

/** Throws for values that can't be read, named, unless it is only to stop. */
function openSpec(spec: StoredWorkspaceSpec): WorkspaceSpec {
  const unreadable: string[] = [];
  const environment = spec.environment.map(({ name, value, secret }) => {
    const opened = secret ? tryOpen(value) : value;
    if (opened === undefined) unreadable.push(name);
    return { name, value: opened ?? '' };
  });
  const routes = mapHashes(spec.routes ?? [], (sealed, name) => {
    const hash = openHash(sealed);
    if (hash === undefined) unreadable.push(`the password of ${name}`);
    return hash ?? '';
  });
  if (unreadable.length > 0 && spec.state === 'running') throw new UnsealError(unreadableWords(unreadable));
  const { account } = spec.image;
  const mayPull = account && spec.state === 'running';
  // One that only stops is led to by nobody.
  const led = unreadable.length === 0 ? routes : [];
  return {
    ...spec,
    environment,
    routes: led,
    image: { ...spec.image, account: mayPull ? openAccount(account) : undefined },
  };
}

function unreadableWords(names: readonly string[]): string {
  return `The secret value of ${names.join(', ')} can't be read: it was sealed with another secret, or damaged. Enter it again, then redeploy.`;
}

/** The step's moment by the console's clock: as long before the receipt as the agent says it was before sending. */
function applyStep(tx: WriteTransaction, step: StepEvent, { hostId, sentAt, receivedMs }: ReportSource): void {
  if (tx.get(workspaces, step.workspaceId)?.host !== hostId) return;
  const found = findDeployment(tx, step);
  if (!found) return;
  const age = Math.min(Math.max(0, sentAt - step.at), receivedMs);
  const at = toWireDate(receivedMs - age);
  // What the host does beyond a deployment that is done is its own doing: someone changed the container by hand.
  const isBeyond = found.status === 'succeeded' && at > found.finished;
  const deployment = isBeyond ? openRepair(tx, found) : found;
  addStep(tx, deployment, {
    key: step.key,
    status: step.status,
    message: step.message,
    at: at < deployment.created ? deployment.created : at,
  });
}

/**
 * Brings a workspace's record up to what its host observed. What is about another generation or attempt than the one
 * asked for last is ignored: a later report follows.
 */
function applyObserved(tx: WriteTransaction, observed: ObservedWorkspace, { hostId }: ReportSource): void {
  const desired = getDesired(workspaceKind, hostId, observed.id);
  if (!desired) return;
  if (desired.spec === null) return applyToTombstone(tx, { hostId, revision: desired.revision, observed });
  const workspace = tx.get(workspaces, observed.id);
  if (!workspace || workspace.host !== hostId) return;
  const { spec } = desired;
  if (observed.generation !== spec.generation || observed.attempt !== spec.attempt) return;
  const status = adaptStatus(workspace, spec, observed);
  moveWorkspace(tx, workspace, {
    isObserved: true,
    status,
    message: status === statusOf(workspace) && isWaiting(status) ? workspace.statusMessage : messageOf(observed),
    also: {
      observedGeneration: observed.generation,
      observedAt: wireNow(),
      observedPorts: withAddress(tx, hostId, observed.ports),
      containerId: observed.containerId,
      observedContainer: containerOf(observed),
    },
  });
  finish(tx, spec, observed);
}

function containerOf(observed: ObservedWorkspace): ObservedContainer | null {
  if (observed.containerId === '') return null;
  const { imageId, madeGeneration, exitCode, restarts, lastLines } = observed;
  return { imageId, generation: madeGeneration, exitCode, restarts, lastLines };
}

function isWaiting(status: WorkspaceStatus): boolean {
  return status === 'build_pending' || status === 'building';
}

/** The status to show for what was observed, given what is asked for at the moment. */
function adaptStatus(workspace: WorkspaceRow, spec: StoredWorkspaceSpec, observed: ObservedWorkspace): WorkspaceStatus {
  const present = statusOf(workspace);
  // The old container lives on while the new image is built.
  if (isWaiting(present)) return present;
  const seen: WorkspaceStatus = observed.status === 'absent' ? 'stopped' : observed.status;
  const isUp = seen === 'deploying' || seen === 'starting' || seen === 'running';
  if (spec.state === 'stopped' && isUp) return 'stopping';
  // A redeploy stops the old container where a fixed port forbids two.
  if (spec.state === 'running' && seen === 'stopping') return 'deploying';
  return seen;
}

function messageOf({ message, retries }: ObservedWorkspace): string {
  return retries > 0 && message !== '' ? `${message} (tried ${retries + 1} times)` : message;
}

function finish(tx: WriteTransaction, spec: StoredWorkspaceSpec, observed: ObservedWorkspace): void {
  const hasArrived = observed.status === spec.state || (spec.state === 'stopped' && observed.status === 'absent');
  if (!hasArrived && observed.status !== 'error') return;
  const about = { workspaceId: observed.id, generation: spec.generation, attempt: spec.attempt };
  const deployment = findDeployment(tx, about);
  if (!deployment) return;
  finishDeployment(tx, deployment, { status: hasArrived ? 'succeeded' : 'failed', message: messageOf(observed) });
}

/** The host goes on with what it ran before. */
function applyUnsupported(tx: WriteTransaction, object: UnsupportedObject, { hostId }: ReportSource): void {
  failWanted(tx, { hostId, id: object.id, message: tooOldMessage(tx, { hostId, what: 'workspace', object }) });
}

/** Says on the record, and on what is under way, why its host can't be given what is asked. */
function failWanted(tx: WriteTransaction, about: { hostId: string; id: string; message: string }): void {
  const { hostId, id, message } = about;
  const spec = getDesired(workspaceKind, hostId, id)?.spec;
  const workspace = tx.get(workspaces, id);
  if (!spec || workspace?.host !== hostId) return;
  if (workspace.status === 'error' && workspace.statusMessage === message) return;
  moveWorkspace(tx, workspace, { status: 'error', message, isObserved: true, also: { observedAt: wireNow() } });
  const { generation, attempt } = spec;
  const deployment = findDeployment(tx, { workspaceId: id, generation, attempt });
  if (deployment) finishDeployment(tx, deployment, { status: 'failed', message });
}

/** Of a workspace that is to go only two things count: that it is gone, and what stands in the way. */
function applyToTombstone(
  tx: WriteTransaction,
  { hostId, revision, observed }: { hostId: string; revision: number; observed: ObservedWorkspace },
): void {
  const workspace = tx.get(workspaces, observed.id);
  // One that was moved to another host, or forced out, only leaves this host.
  const isLeaving = workspace?.host === hostId && workspace.desired === 'absent';
  if (observed.status === 'absent') {
    removeObject(tx, hostId, workspaceKind.name, observed.id);
    putPrunedRevision(tx, hostId, revision);
    if (isLeaving) removeWorkspaceRecords(tx, observed.id);
    return;
  }
  if (!isLeaving || observed.status !== 'error') return;
  moveWorkspace(tx, workspace, {
    status: 'error',
    message: messageOf(observed),
    isObserved: true,
    also: { observedAt: wireNow() },
  });
}
