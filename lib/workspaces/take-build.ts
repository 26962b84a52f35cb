import 'server-only';
import { fieldError } from '@/lib/errors';
import { type ImageRow, images } from '@/lib/images/collection';
import { type GoodBuild, goodBuildOf } from '@/lib/images/good-build';
import type { WriteTransaction } from '@/lib/records/transaction';
import { isInRegistry } from '@/lib/vocabulary/image-reference';
import { type WorkspaceRow, workspaces } from './collection';

/**
 * Has the workspace run that build of its image from now on; 0 is the newest, undefined leaves it as it is. Throws `invalid` at
 * `build` for one that its host can't get any more.
 */
export function takeBuild(tx: WriteTransaction, workspace: WorkspaceRow, asked: number | undefined): WorkspaceRow {
  const number = asked ?? workspace.imageBuild;
  const image = number > 0 ? tx.get(images, workspace.image) : undefined;
  const build = image && goodBuildOf(tx, image, number);
  if (image && build) requireAtHand({ workspace, image, build });
  if (number === workspace.imageBuild) return workspace;
  if (image && !build)
    throw fieldError('build', 'validation_no_build', `Image ${image.name} has no good build ${number}.`);
  return tx.patch(workspaces, workspace.id, { imageBuild: number }) ?? workspace;
}

function requireAtHand({
  workspace,
  image,
  build,
}: {
  workspace: WorkspaceRow;
  image: ImageRow;
  build: GoodBuild;
}): void {
  const { number } = build;
  if (isInRegistry(image) && build.pulledBy !== '') return;
  if (build.hostId === workspace.host) {
    if (!build.isGone) return;
    const words = `Build ${number} of image ${image.name} is not on its host any more. Build it again with its versions.`;
    throw fieldError('build', 'validation_build_gone', words);
  }
  const words = `Build ${number} of image ${image.name} is on the host that made it alone: no registry gave it a digest.`;
  throw fieldError('build', 'validation_build_elsewhere', words);
}
