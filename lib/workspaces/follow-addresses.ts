import 'server-only';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { refreshHostObject } from '@/lib/hosts/host-spec';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { mayAct } from '@/lib/records/can';
import { registerAfterWrite, type AfterWrite } from '@/lib/records/hooks';
import { proxyTypeOf } from '@/lib/vocabulary/host';
import { addressProblem } from './address-checks';
import { workspaceKind } from './at-host';
import { wantedSpec } from './changes';
import { type WorkspaceRow, workspaces } from './collection';

/** Has addresses that lie in a file beside the container follow what is saved, with nothing made anew. */
export function registerFollowAddresses(): void {
  registerAfterWrite(workspaces.name, follow);
}

function follow({ action, tx, row, before, actor }: AfterWrite): void {
  const workspace = row as WorkspaceRow;
  if (action !== 'update' || isSame(workspace, before as WorkspaceRow)) return;
  const host = tx.get(hosts, workspace.host);
  const deployed = getDesired(workspaceKind, workspace.host, workspace.id)?.spec;
  if (!host || deployed?.state !== 'running' || !canFollow(host, deployed.routedBy ?? '')) return;
  // Whoever may change a workspace and not deploy it leaves that to somebody else, as with any other setting.
  if (!mayAct(workspaces, { actor, act: 'deploy', row: workspace }) || addressProblem(host, workspace.externalUrls))
    return;
  const wanted = wantedSpec(tx, workspace, deployed);
  if (!wanted) return;
  const { routes, routedBy, pullTimeoutMs } = wanted;
  const image = { ...deployed.image, pullTimeoutMs: wanted.image.pullTimeoutMs };
  refreshHostObject(tx, host);
  const spec = { ...deployed, routes, routedBy, pullTimeoutMs, image };
  putDesired(tx, workspaceKind, { hostId: host.id, objectId: workspace.id, spec });
}

/** Labels of a container can't be changed: those wait for a redeploy. */
function canFollow({ reverse_proxy }: HostRow, routedBy: string): boolean {
  return proxyTypeOf(reverse_proxy) === 'traefikFileProvider' && routedBy !== 'labels';
}

function isSame(one: WorkspaceRow, other: WorkspaceRow): boolean {
  return JSON.stringify(one.externalUrls ?? []) === JSON.stringify(other.externalUrls ?? []);
}
