import type { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { plainPath } from '@/lib/vocabulary/paths';
import type { AnyRow, CheckContext, Collection, RowOf } from '@/lib/records/collection';
import { checkUse } from '@/lib/records/attached';
import { networks } from '@/lib/networks/collection';
import { volumes } from '@/lib/volumes/collection';
import { volumePathsSchema } from '@/lib/vocabulary/workspace-schemas';

type Workspace = RowOf<typeof workspacesTable>;
type Context = CheckContext<Workspace>;

/** A workspace's volumes and networks: on its host, open to the caller, each volume at a path of its own. */
export function checkMounts(context: Context, { moved }: { moved: boolean }): FieldProblems {
  const { sent } = context;
  const problems: FieldProblems = {};
  for (const [field, collection] of [
    ['volumes', volumes],
    ['networks', networks],
  ] as const) {
    const problem = moved || sent.has(field) ? checkAttached(context, field, collection) : undefined;
    if (problem) problems[field] = problem;
  }
  const paths = sent.has('volumes') || sent.has('volumePaths') ? checkPaths(context.row) : undefined;
  if (paths) problems.volumePaths = paths;
  return problems;
}

function checkAttached(
  { actor, tx, row, before }: Context,
  field: 'volumes' | 'networks',
  collection: Collection,
): FieldProblem | undefined {
  const kind = field === 'volumes' ? 'volume' : 'network';
  const refused = checkUse(collection, {
    actor,
    tx,
    ids: row[field],
    known: before?.[field],
    act: 'attach',
    refusal: `You do not have permission to attach this ${kind}.`,
  });
  if (refused) return refused;
  const elsewhere = row[field]
    .map((id) => tx.get(collection, id) as AnyRow | undefined)
    .find((found) => found && found.host !== row.host);
  if (!elsewhere) return undefined;
  return { code: 'validation_wrong_host', message: `The ${kind} ${String(elsewhere.name)} is on another host.` };
}

/** Every volume needs a path on the workspace; no two share one. */
function checkPaths({ volumes: ids, volumePaths }: Workspace): FieldProblems | undefined {
  const parsed = volumePathsSchema.safeParse(volumePaths ?? {});
  if (!parsed.success) return undefined;
  const problems: FieldProblems = {};
  const taken = new Set<string>();
  for (const id of ids) {
    const entry = parsed.data[id];
    const path = entry ? plainPath(entry.path) : '';
    if (path === '') problems[id] = { path: { code: 'validation_required', message: 'Cannot be blank.' } };
    else if (taken.has(path)) {
      problems[id] = { path: { code: 'validation_duplicate', message: 'Duplicate path on workspace.' } };
    }
    taken.add(path);
  }
  for (const id of Object.keys(parsed.data)) {
    if (ids.includes(id)) continue;
    problems[id] = { code: 'validation_invalid_value', message: 'The workspace has no such volume.' };
  }
  return Object.keys(problems).length > 0 ? problems : undefined;
}

/** Paths of volumes that were taken off go with them, unless the caller speaks of paths. */
export function dropUnusedPaths({ row, sent }: Context): void {
  if (!sent.has('volumes') || sent.has('volumePaths') || !row.volumePaths) return;
  const kept = Object.entries(row.volumePaths).filter(([id]) => row.volumes.includes(id));
  row.volumePaths = Object.fromEntries(kept);
}
