import 'server-only';
import { domains } from '@/lib/domains/collection';
import { actorUserId } from '@/lib/policies/actor';
import { registerAfterWrite, type AfterWrite } from '@/lib/records/hooks';
import { workspaces, type WorkspaceRow } from './collection';
import { addressOf, internalAddresses } from './internal-addresses';
import { workspaceLoginPermissions } from './login-permissions';
import { workspacePermissions } from './permissions';

/**
 * Has log-in permissions come and go with what they follow from: a person's permission, and an address that asks who comes.
 * Where its domain gets another name, they go along.
 */
export function registerLoginPermissions(): void {
  registerAfterWrite(domains.name, followDomain);
  registerAfterWrite(workspacePermissions.name, followPermission);
  registerAfterWrite(workspaces.name, followAddresses);
}

/** Whose log-in permission it is, a person's or a group's, and to which workspace. */
interface Subject {
  user: string;
  group: string;
  workspace: string;
}

function followPermission({ action, tx, row, actor }: AfterWrite): void {
  const subject = { user: String(row.user), group: String(row.group), workspace: String(row.workspace) };
  if (action === 'delete') {
    for (const { id } of tx.find(workspaceLoginPermissions, subject)) tx.remove(workspaceLoginPermissions, id);
  }
  if (action !== 'create') return;
  const workspace = tx.get(workspaces, subject.workspace);
  if (workspace) letIn({ tx, actor }, subject, internalAddresses(tx, workspace.externalUrls));
}

function followAddresses({ action, tx, row, before, actor }: AfterWrite): void {
  if (action === 'delete') return;
  const [now, then] = [row, before].map((each) =>
    internalAddresses(tx, (each as WorkspaceRow | undefined)?.externalUrls),
  );
  const added = [...now!].filter((address) => !then!.has(address));
  const removed = [...then!].filter((address) => !now!.has(address));
  const workspace = String(row.id);
  for (const url of removed) {
    for (const { id } of tx.find(workspaceLoginPermissions, { workspace, url }))
      tx.remove(workspaceLoginPermissions, id);
  }
  if (added.length === 0) return;
  for (const holder of tx.findParts(workspacePermissions, ['user', 'group'], { workspace })) {
    letIn({ tx, actor }, { ...holder, workspace }, added);
  }
}

function followDomain({ action, tx, row, before }: AfterWrite): void {
  if (action !== 'update' || !before || before.url === row.url) return;
  for (const { id: workspace, externalUrls } of tx.findParts(workspaces, ['id', 'externalUrls'], {})) {
    const under = (externalUrls ?? []).filter(({ domain }) => domain === row.id);
    for (const url of under) {
      const [then, now] = [before, row].map((domain) => addressOf(url, String(domain.url)));
      for (const { id } of tx.find(workspaceLoginPermissions, { workspace, url: then! }))
        tx.patch(workspaceLoginPermissions, id, { url: now! });
    }
  }
}

function letIn({ tx, actor }: Pick<AfterWrite, 'tx' | 'actor'>, subject: Subject, addresses: Iterable<string>): void {
  const known = new Set(tx.find(workspaceLoginPermissions, subject).map(({ url }) => url));
  const set_by = actorUserId(actor);
  for (const url of addresses) {
    if (!known.has(url)) tx.insert(workspaceLoginPermissions, { ...subject, url, set_by });
  }
}
