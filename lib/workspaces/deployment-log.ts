import 'server-only';
import { deployments } from './deployments';
import { users } from '@/lib/accounts/collection';
import { wireNow } from '@/lib/clock';
import { applyStep, endSteps, type StepNews } from './deployment-steps';
import type { DeploymentStep } from '@/lib/vocabulary/workspace';
import { REDEPLOY_ORDERS, type RedeployOptions } from '@/lib/vocabulary/redeploy';
import type { RowOf } from '@/lib/records/collection';
import type { WriteTransaction } from '@/lib/records/transaction';

/** Deployments that are kept of a workspace. */
const KEPT = 100;
/** Old ones that go with a new one: few enough to hold up nobody where many were kept. */
const PRUNED_AT_ONCE = 20;

export type DeploymentRow = RowOf<typeof deployments.table>;

export interface AskedDeployment {
  workspaceId: string;
  hostId: string;
  /** User id; empty for the console itself. */
  askedBy: string;
  action: 'start' | 'redeploy' | 'stop' | 'delete' | 'repair';
  generation: number;
  attempt: number;
  /** What it waits for, shown with the step `queued`. */
  waitsFor: string;
  options?: RedeployOptions;
  /** Why the console itself asked, for people. */
  reason?: string | undefined;
}

/** Opens the record of what was asked; those before it that are not over are superseded. */
export function openDeployment(tx: WriteTransaction, asked: AskedDeployment): DeploymentRow {
  const before = tx.find(
    deployments,
    { workspace: asked.workspaceId },
    { orderBy: 'number', descending: true, limit: 1 },
  );
  supersedeDeployments(tx, asked.workspaceId);
  const now = wireNow();
  const steps: DeploymentStep[] =
    asked.action === 'repair'
      ? []
      : [
          {
            key: 'asked',
            status: 'done',
            message: asked.reason ?? `Asked by ${nameOf(tx, asked.askedBy)}`,
            startedAt: now,
            endedAt: now,
          },
          { key: 'queued', status: 'running', message: asked.waitsFor, startedAt: now, endedAt: '' },
        ];
  const number = (before[0]?.number ?? 0) + 1;
  pruneDeployments(tx, asked.workspaceId, number - KEPT);
  return tx.insert(deployments, {
    workspace: asked.workspaceId,
    host: asked.hostId,
    created_by: asked.askedBy,
    number,
    generation: asked.generation,
    attempt: asked.attempt,
    action: asked.action,
    ...asked.options,
    status: 'pending',
    steps,
  });
}

/** How a deployment was asked to go. */
export function optionsOf({ order, pull }: DeploymentRow): RedeployOptions {
  return { order: REDEPLOY_ORDERS.find((each) => each === order) ?? '', pull };
}

/** Drops a workspace's oldest deployments, up to a number. */
function pruneDeployments(tx: WriteTransaction, workspaceId: string, upTo: number): void {
  const sql = 'SELECT id FROM deployments WHERE workspace = ? AND number <= ? LIMIT ?';
  for (const { id } of tx.prepare<{ id: string }>(sql).all(workspaceId, upTo, PRUNED_AT_ONCE)) {
    tx.remove(deployments, id);
  }
}

/** Opens the record of what the host does by itself to put right what the deployment had brought about. */
export function openRepair(tx: WriteTransaction, done: DeploymentRow): DeploymentRow {
  const { workspace: workspaceId, host: hostId, generation, attempt } = done;
  return openDeployment(tx, { workspaceId, hostId, generation, attempt, action: 'repair', askedBy: '', waitsFor: '' });
}

function nameOf(tx: WriteTransaction, userId: string): string {
  if (userId === '') return 'the console';
  const user = tx.get(users, userId);
  return user?.name || user?.username || 'a deleted user';
}

/** Marks what is under way for a workspace as overtaken. */
export function supersedeDeployments(tx: WriteTransaction, workspaceId: string): void {
  for (const deployment of tx.find(deployments, { workspace: workspaceId, status: 'pending' })) {
    const finished = wireNow();
    const steps = endSteps(deployment.steps ?? [], { status: 'done', at: finished });
    tx.patch(deployments, deployment.id, { status: 'superseded', steps, finished });
  }
}

/** The newest deployment that the host's reports of this generation and attempt are about. */
export function findDeployment(
  tx: WriteTransaction,
  about: { workspaceId: string; generation: number; attempt: number },
): DeploymentRow | undefined {
  const match = { workspace: about.workspaceId, generation: about.generation, attempt: about.attempt };
  return tx.find(deployments, match, { orderBy: 'number', descending: true, limit: 1 })[0];
}

/** Adds a step that the host reports; superseded deployments keep their timeline, and what is told late of one that is done has ended. */
export function addStep(tx: WriteTransaction, deployment: DeploymentRow, news: StepNews): void {
  if (deployment.status === 'superseded') return;
  const steps = applyStep(deployment.steps ?? [], news);
  const isDone = deployment.status === 'succeeded';
  tx.patch(deployments, deployment.id, { steps: isDone ? endSteps(steps, { status: 'done', at: news.at }) : steps });
}

/** Says how a deployment went. A failed one may still succeed, as its host tries again; nothing else changes any more. */
export function finishDeployment(
  tx: WriteTransaction,
  deployment: DeploymentRow,
  outcome: { status: 'succeeded' | 'failed'; message: string },
): void {
  const isOpen = deployment.status === 'pending' || deployment.status === 'failed';
  if (!isOpen || deployment.status === outcome.status) return;
  const finished = wireNow();
  const steps = endSteps(deployment.steps ?? [], {
    status: outcome.status === 'failed' ? 'failed' : 'done',
    at: finished,
  });
  tx.patch(deployments, deployment.id, { status: outcome.status, statusMessage: outcome.message, steps, finished });
}
