import 'server-only';
import type { workspacesTable } from '@/db/schema/workspaces';
import { AppError, type FieldProblem, type FieldProblems } from '@/lib/errors';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import type { Actor } from '@/lib/policies/actor';
import { Quota } from '@/lib/quotas/refusals';
import { usageOfWorkspace } from '@/lib/quotas/usage';
import type { CheckContext, RowOf } from '@/lib/records/collection';
import type { StoreReader } from '@/lib/records/transaction';
import { isolationOf } from '@/lib/vocabulary/host-isolation';
import { gpusSchema } from '@/lib/vocabulary/workspace-schemas';
import { volumes } from '@/lib/volumes/collection';

type Workspace = RowOf<typeof workspacesTable>;
type Measured = 'cpus' | 'memoryBytes' | 'gpus';
type Amounts = Record<Measured, number>;

/** Where the form has what an amount is about; what has no field of its own is told of the whole. */
const FIELDS = { cpus: 'cpuLimit', memoryBytes: 'memoryLimit', gpus: 'gpus' } as const;
const MEASURED = Object.keys(FIELDS) as Measured[];
const WHOLE = 'quota';

const NOTHING: Amounts = { cpus: 0, memoryBytes: 0, gpus: 0 };

/** What a workspace takes of each once it runs: a limit of its own, or its host's. 0 of a limit is none. */
function amountsOf({ cpuLimit, memoryLimit, gpus }: Workspace, host: HostRow | undefined): Amounts {
  const usual = host && isolationOf(host);
  return {
    cpus: cpuLimit || (usual?.cpuLimit ?? 0),
    memoryBytes: memoryLimit || (usual?.memoryLimit ?? 0),
    gpus: countOf(gpus),
  };
}

/** What is no such request is refused by its field. */
function countOf(gpus: unknown): number {
  const asked = gpusSchema.safeParse(gpus).data;
  if (!asked) return 0;
  return 'uuids' in asked ? asked.uuids.length : asked.count;
}

/**
 * What of a new or changed workspace its owner's quota refuses, by field. One that does not run has to fit by itself; one that
 * runs, beside all else of its owner. What grows nothing is never refused, also where a quota was lowered since.
 */
export function checkQuota({ tx, actor, row, before }: CheckContext<Workspace>): FieldProblems {
  if (row.template) return {};
  const isTheirs = before !== undefined && !before.template && before.created_by === row.created_by;
  const quota = new Quota({ ownerId: row.created_by, actor, except: row.id });
  const asked = amountsOf(row, tx.get(hosts, row.host));
  const then = isTheirs ? amountsOf(before, tx.get(hosts, before.host)) : undefined;
  const running = before && !before.template ? usageOfWorkspace(before.id) : undefined;
  const isUp = running?.running === 1;
  const problems: Record<string, FieldProblem | undefined> = {};
  if (!isTheirs) {
    problems[WHOLE] =
      quota.refuse('workspaces', { before: 0, after: 1 }) ??
      (isUp ? quota.refuse('running', { before: 0, after: 1 }) : undefined);
  }
  for (const amount of MEASURED) {
    const field = FIELDS[amount];
    const isAsked = then?.[amount] !== asked[amount];
    if (amount !== 'gpus' && isAsked && asked[amount] === 0) problems[field] = quota.refuseUnlimited(amount);
    // What the host runs counts until another deployment takes its place.
    const after = isUp ? Math.max(asked[amount], running[amount]) : asked[amount];
    const held = isTheirs ? (isUp ? running[amount] : then![amount]) : 0;
    problems[field] ??= quota.refuse(amount, { before: held, after }, { alone: !isUp });
  }
  if (!isTheirs || before.runtime !== row.runtime) {
    problems.runtime = refuseRuntime(quota, row, tx.get(hosts, row.host));
  }
  return found(problems);
}

/** Throws AppError `invalid` with what its owner's quota has against running a workspace now, by field. */
export function requireQuota(
  tx: StoreReader,
  { workspace, host }: { workspace: Workspace; host: HostRow },
  actor: Actor,
): void {
  const quota = new Quota({ ownerId: workspace.created_by, actor, except: workspace.id });
  const asked = amountsOf(workspace, host);
  const running = usageOfWorkspace(workspace.id);
  const isUp = running.running === 1;
  const held = isUp ? running : NOTHING;
  const problems: Record<string, FieldProblem | undefined> = {
    [WHOLE]: quota.refuse('running', { before: running.running, after: 1 }),
    runtime: refuseRuntime(quota, workspace, host),
    volumes: isUp ? undefined : refuseFullVolumes(tx, workspace, actor),
  };
  for (const amount of MEASURED) {
    if (amount !== 'gpus' && asked[amount] === 0) problems[FIELDS[amount]] = quota.refuseUnlimited(amount);
    problems[FIELDS[amount]] ??= quota.refuse(amount, { before: held[amount], after: asked[amount] });
  }
  const fields = found(problems);
  const words = Object.values(fields).map(({ message }) => message);
  if (words.length > 0) throw new AppError('invalid', words.join(' '), { fields });
}

/** The runtime for cards shows a container all of them where none are asked for. */
function refuseRuntime(
  quota: Quota,
  { runtime, gpus }: Workspace,
  host: HostRow | undefined,
): FieldProblem | undefined {
  if (!host || runtime === '' || runtime !== host.default_gpu_runtime || runtime === host.default_runtime)
    return undefined;
  return countOf(gpus) > 0 ? undefined : quota.refuseUncountedGpus();
}

/** What it may write to belongs to somebody who stores more than their quota already. */
function refuseFullVolumes(tx: StoreReader, workspace: Workspace, actor: Actor): FieldProblem | undefined {
  const written = workspace.volumes.filter((id) => workspace.volumePaths?.[id]?.readOnly !== true);
  const owners = new Set(written.flatMap((id) => tx.get(volumes, id)?.created_by ?? []));
  for (const ownerId of owners) {
    const problem = new Quota({ ownerId, actor }).refuseBeyond();
    if (problem) return problem;
  }
  return undefined;
}

function found(problems: Record<string, FieldProblem | undefined>): Record<string, FieldProblem> {
  return Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, FieldProblem] => entry[1] !== undefined),
  );
}
