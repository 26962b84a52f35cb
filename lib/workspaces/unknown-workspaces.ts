import 'server-only';
import { AppError } from '@/lib/errors';
import { hosts } from '@/lib/hosts/collection';
import { putDesired } from '@/lib/hosts/link/desired';
import { type HeldUnknown, listUnknown } from '@/lib/hosts/link/unknown-objects';
import { type Actor, hasFullAccess } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord } from '@/lib/records/writer';
import { workspaceKind } from './at-host';
import { workspaces } from './collection';

/**
 * Containers that a host runs as a workspace of this console, which has none of that id: made after the backup that it was
 * restored from, or forgotten. Throws `forbidden` unless an admin asks, `not_found` for no host.
 */
export function listUnknownWorkspaces(actor: Actor, hostId: string): HeldUnknown[] {
  if (!hasFullAccess(actor))
    throw new AppError('forbidden', 'Only admins may see what a host holds beside its records.');
  const reader = new StoreReader();
  if (!reader.get(hosts, hostId)) throw new AppError('not_found', NO_HOST);
  // One that was adopted has its record, also before it is started.
  return listUnknown(hostId).filter(({ kind, id }) => kind === workspaceKind.name && !reader.get(workspaces, id));
}

const NO_HOST = "The requested resource wasn't found.";

export interface UnknownWorkspace {
  hostId: string;
  id: string;
}

function requireUnknown(actor: Actor, { hostId, id }: UnknownWorkspace): HeldUnknown {
  const found = listUnknownWorkspaces(actor, hostId).find((each) => each.id === id);
  if (!found) throw new AppError('not_found', 'The host holds no such container that is not known here.');
  return found;
}

/** Has the host remove the container. */
export function removeUnknownWorkspace(actor: Actor, about: UnknownWorkspace): Promise<void> {
  return write((tx) => {
    const { name } = requireUnknown(actor, about);
    putDesired(tx, workspaceKind, { hostId: about.hostId, objectId: about.id, spec: null });
    const on = { collection: workspaces.name, record: about.id, name };
    recordAudit(tx, { action: 'workspace.delete', actor, on, details: { unknown: true } });
  });
}

/**
 * Makes a workspace of the container's id with the given fields: the container runs on as it is until the workspace is
 * started, which replaces it by what the record says. Throws as the creation of a record does.
 */
export async function adoptUnknownWorkspace(actor: Actor, about: UnknownWorkspace, fields: AnyRow): Promise<unknown> {
  requireUnknown(actor, about);
  return createRecord(workspaces, actor, { body: { ...fields, id: about.id, host: about.hostId } });
}
