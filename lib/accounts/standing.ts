import 'server-only';
import { endApiTokensOf } from '@/lib/auth/api-tokens';
import { endSessionsOf } from '@/lib/auth/sessions';
import { users } from './collection';
import { tellCredentialEnds } from '@/lib/auth/credential-ends';
import { newSecret } from '@/lib/ids';
import { actorUserId, credentialOf } from '@/lib/policies/actor';
import { type AfterWrite, registerAfterWrite } from '@/lib/records/hooks';

/** What changes an account's standing ends what it is signed in by. */
export function registerStanding(): void {
  registerAfterWrite('users', endWhatTheAccountHolds);
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
