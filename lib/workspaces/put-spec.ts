import 'server-only';
import type { HostRow } from '@/lib/hosts/collection';
import { putDesired } from '@/lib/hosts/link/desired';
import { workspaceKind } from './at-host';
import { listHolders } from '@/lib/hosts/link/desired-objects';
import { waitMessage } from '@/lib/hosts/wait-message';
import type { ImageRow } from '@/lib/images/collection';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { WorkspaceRow } from './collection';
import { moveWorkspace } from './moves';
import { buildWorkspaceSpec } from './spec';

/** Asks a workspace's host to run its record as it is, as the given generation and attempt. */
export function putWorkspaceSpec(
  tx: WriteTransaction,
  about: { workspace: WorkspaceRow; image: ImageRow; host: HostRow; generation: number; attempt: number },
): WorkspaceRow {
  const { workspace, image, host, generation, attempt } = about;
  const spec = buildWorkspaceSpec(workspace, image, host, { generation, attempt });
  for (const hostId of listHolders(workspaceKind.name, workspace.id)) {
    // It was moved: the host before lets go of it.
    if (hostId !== host.id) putDesired(tx, workspaceKind, { hostId, objectId: workspace.id, spec: null });
  }
  putDesired(tx, workspaceKind, { hostId: host.id, objectId: workspace.id, spec });
  return moveWorkspace(tx, workspace, {
    status: 'deployment_pending',
    message: waitMessage(host),
    also: { desired: 'running', generation },
  });
}
