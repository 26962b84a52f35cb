import 'server-only';
import { endSessionsOf } from '@/lib/auth/sessions';
import { images } from '@/lib/collections/images';
import { workspaces } from '@/lib/collections/workspaces';
import { type HostRow, writeHostObject } from '@/lib/hosts/host-spec';
import { revokeHost } from '@/lib/hosts/host-removal';
import { recordAudit } from '@/lib/records/audit';
import { registerAfterAnyWrite, registerAfterWrite, registerDeleteThrough } from '@/lib/records/hooks';
import { write } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { auditWrite } from './audit-writes';
import { deleteImage } from './delete-image';
import { deleteWorkspace } from './delete-workspace';

/**
 * Has the record API's writes do what they mean for the hosts: deletes of workspaces and images go over the host, a host's
 * settings reach its agent, a removed host loses its key, a new password ends the account's sessions, and all of them are
 * in the audit log. Once per process, however often it is called.
 */
export function registerCommands(): void {
  singleton('commands-registered', () => {
    registerHostHooks();
    registerDeletes();
    registerSessionEnds();
    registerAfterAnyWrite(auditWrite);
    return true;
  });
}

function registerHostHooks(): void {
  registerAfterWrite('hosts', ({ action, tx, row }) => {
    if (action === 'delete') revokeHost(tx, String(row.id));
    else writeHostObject(tx, row as unknown as HostRow);
  });
}

/** A new token key, as a new password brings, ends the sessions of an account as it ends its tokens. */
function registerSessionEnds(): void {
  registerAfterWrite('users', ({ action, row, before }) => {
    if (action === 'delete' || (before && before.tokenKey !== row.tokenKey)) endSessionsOf(String(row.id));
  });
}

/** The record API has checked the right to delete; the record is read again inside the transaction. */
function registerDeletes(): void {
  registerDeleteThrough('workspaces', ({ actor, row }) =>
    write((tx) => {
      const workspace = tx.get(workspaces, String(row.id));
      if (!workspace) return;
      deleteWorkspace(tx, workspace, { actor, force: false });
      const on = { collection: 'workspaces', record: workspace.id, name: workspace.name };
      recordAudit(tx, { action: 'workspace.delete', actor, on });
    }),
  );
  registerDeleteThrough('images', ({ actor, row }) =>
    write((tx) => {
      const image = tx.get(images, String(row.id));
      if (!image) return;
      deleteImage(tx, image);
      recordAudit(tx, {
        action: 'image.delete',
        actor,
        on: { collection: 'images', record: image.id, name: image.name },
      });
    }),
  );
}
