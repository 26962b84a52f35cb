import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { plainPath } from '@/lib/vocabulary/paths';
import type { AnyRow, CheckContext, Collection, RowOf } from '@/lib/records/collection';
import { toItems } from '@/lib/records/fields/values';
import { checkUse } from '@/lib/records/attached';
import { networks } from '@/lib/networks/collection';
import { volumes } from '@/lib/volumes/collection';
import { volumePathsSchema } from '@/lib/vocabulary/workspace-schemas';
import { toAlias } from './spec';

type Workspace = RowOf<typeof workspacesTable>;
type Context = CheckContext<Workspace>;

export const attachUse = (kind: 'volume' | 'network') =>
  ({ act: 'attach', refusal: `You do not have permission to attach this ${kind}.` }) as const;

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
  const networkProblem = problems.networks ? undefined : checkNetworks(context, { moved });
  if (networkProblem) problems.networks = networkProblem;
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
    ...attachUse(kind),
  });
  if (refused) return refused;
  const elsewhere = row[field]
    .map((id) => tx.get(collection, id) as AnyRow | undefined)
    .find((found) => found && found.host !== row.host);
  if (!elsewhere) return undefined;
  return { code: 'validation_wrong_host', message: `The ${kind} ${String(elsewhere.name)} is on another host.` };
}

function checkNetworks(
  { tx, row, before, sent, body }: Context,
  { moved }: { moved: boolean },
): FieldProblem | undefined {
  const given = sent.has('networks') ? toItems(body.networks) : [];
  if (new Set(given).size < given.length) return { code: 'validation_duplicate', message: 'Network already added.' };
  const isNew = moved || sent.has('networks') || sent.has('name') || before?.template !== row.template;
  const alias = toAlias(row.name);
  if (!isNew || row.template || alias === '') return undefined;
  for (const id of row.networks) {
    const others = tx.findReferring(
      { name: 'workspaces', table: workspacesTable },
      { field: 'networks', id, multiple: true },
    );
    const twin = others.some(
      (other) => other.id !== row.id && !other.template && toAlias(String(other.name)) === alias,
    );
    if (!twin) continue;
    const message = `Another workspace on the network ${tx.get(networks, id)?.name} is called ${alias} there already. Rename this one.`;
    return { code: 'validation_alias_taken', message };
  }
  return undefined;
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
    else if (path === '/') {
      problems[id] = { path: { code: 'validation_invalid_path', message: "Can't be the root of the container." } };
    } else if (taken.has(path)) {
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
