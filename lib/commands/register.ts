import 'server-only';
import { endApiTokensOf } from '@/lib/auth/api-tokens';
import { endSessionsOf } from '@/lib/auth/sessions';
import { images } from '@/lib/collections/images';
import { users } from '@/lib/collections/users';
import { workspaces } from '@/lib/collections/workspaces';
import { type HostRow, writeHostObject } from '@/lib/hosts/host-spec';
import { revokeHost } from '@/lib/hosts/host-removal';
import { tellCredentialEnds } from '@/lib/credential-ends';
import { newSecret } from '@/lib/ids';
import { actorUserId, credentialOf } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { type AfterWrite, registerAfterAnyWrite, registerAfterWrite, registerDeleteThrough } from '@/lib/records/hooks';
import { write } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { auditWrite } from './audit-writes';
import { deleteImage } from './delete-image';
import { deleteWorkspace } from './delete-workspace';

/**
 * Has the record API's writes do what they mean for the hosts: deletes of workspaces and images go over the host, a host's
 * settings reach its agent, a removed host loses its key, and what changes an account's standing ends what it is signed in
 * by; and all of it is in the audit log. Once per process, however often it is called.
 */
export function registerCommands(): void {
  singleton('commands-registered', () => {
    registerHostHooks();
    registerDeletes();
    registerAfterWrite('users', endWhatTheAccountHolds);
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

/**
 * A new token key, as a new password brings, ends the sessions of an account as it ends its tokens; so do another role and
 * being disabled. Its API tokens end when it is disabled, and when somebody else sets its password.
 */
function endWhatTheAccountHolds({ action, tx, row, before, actor }: AfterWrite): void {
  const id = String(row.id);
  if (action === 'delete') return void endSessionsOf(tx, id);
  if (!before) return;
  const isDisabled = before.enabled === true && row.enabled === false;
  const isOwn = actorUserId(actor) === id;
  const hasNewRole = before.isAdmin !== row.isAdmin;
  if (isDisabled || (!isOwn && before.passwordHash !== row.passwordHash)) tellAfter(tx, endApiTokensOf(tx, id));
  if (before.tokenKey !== row.tokenKey) return void endSessionsOf(tx, id);
  if (isDisabled || (hasNewRole && !isOwn)) {
    tx.patch(users, id, { tokenKey: newSecret(50) });
    endSessionsOf(tx, id);
  } else if (hasNewRole) {
    // One can only lay a role down oneself, and rights are read anew with each call: where that happened may go on.
    tellAfter(tx, endSessionsOf(tx, id, { except: credentialOf(actor)?.id }));
  }
}

function tellAfter(tx: AfterWrite['tx'], ids: string[]): void {
  tx.afterCommit.push(() => tellCredentialEnds(ids));
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
