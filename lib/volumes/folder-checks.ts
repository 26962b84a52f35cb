import type { FieldProblem } from '@/lib/errors';
import type { HostRow } from '@/lib/hosts/collection';
import { isInside } from '@/lib/protocol/folders';
import { isolationOf } from '@/lib/vocabulary/host-isolation';
import { isAbsolutePath, plainPath } from '@/lib/vocabulary/paths';

interface AskedFolder {
  path: string;
  /** Id of the account that has the volume made. */
  ownerId: string;
  host: HostRow | undefined;
  /** Folders of other volumes on the host. */
  taken: readonly string[];
}

/** Why a host's folder may not become a volume, as far as the console can tell; its agent looks at links, too. */
export function findFolderProblem({ path, ownerId, host, taken }: AskedFolder): FieldProblem | undefined {
  if (!isAbsolutePath(path)) {
    return { code: 'validation_invalid_path', message: 'Must be an absolute path without “..”.' };
  }
  const place = plainPath(path);
  return (host && findRootProblem(host, { place, ownerId })) ?? findNestingProblem(place, taken.map(plainPath));
}

/** Nothing is said of a host that has not told its roots. */
function findRootProblem(
  host: HostRow,
  { place, ownerId }: { place: string; ownerId: string },
): FieldProblem | undefined {
  const roots = host.engine?.bindRoots;
  if (!roots) return undefined;
  const outside = (message: string): FieldProblem => ({ code: 'validation_outside_roots', message });
  if (roots.length === 0) return outside(`${host.name} takes no folders: its agent has no BERTH_BIND_ROOTS.`);
  const isShared = isolationOf(host).sharedBindFolders;
  const allowed = roots.map((root) => (isShared ? root : plainPath(`${root === '/' ? '' : root}/${ownerId}`)));
  if (allowed.some((folder) => isInside(folder, place))) return undefined;
  const whose = isShared ? '' : 'your folder, ';
  return outside(`On ${host.name} it must lie in ${whose}${allowed.join(' or ')}.`);
}

/** Whoever writes to the outer folder could put a link to anywhere in the inner one's place. */
function findNestingProblem(place: string, taken: readonly string[]): FieldProblem | undefined {
  const nested = taken.find((other) => other !== place && (isInside(other, place) || isInside(place, other)));
  if (nested === undefined) return undefined;
  const where = isInside(nested, place)
    ? 'It lies in the folder of another volume.'
    : 'It holds the folder of another volume.';
  return { code: 'validation_nested_folder', message: where };
}
