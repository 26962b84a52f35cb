import 'server-only';
import type { ImageRow } from '@/lib/images/collection';
import { goodTagOf } from '@/lib/images/good-build';
import { freshTag, isFreshTag } from '@/lib/protocol/image-names';
import type { StoreReader } from '@/lib/records/transaction';
import { readLastGoodTag } from './kept-specs';
import type { StoredWorkspaceSpec } from './spec';

interface Asked {
  workspace: { id: string; imageBuild: number };
  image: ImageRow;
  generation: number;
  pull: boolean;
  /** What the host was asked before. */
  deployed: StoredWorkspaceSpec | null | undefined;
}

/**
 * What the host calls the image that it is to run: the own name of the newest good build, or of the one that the workspace was
 * rolled back to, or one for what is pulled anew. What was
 * so taken stays until a newer build; a pull that failed does not.
 */
export function imageTagOf(reader: StoreReader, { workspace, image, generation, pull, deployed }: Asked): string {
  const own = goodTagOf(reader, image, workspace.imageBuild);
  const isAnotherTry = deployed?.generation === generation;
  if (pull && !isAnotherTry) return freshTag(own, { workspaceId: workspace.id, generation });
  const before = isAnotherTry ? (deployed.image.tag ?? '') : readLastGoodTag(workspace.id);
  return before.startsWith(`${own}-`) && isFreshTag(before) ? before : own;
}
