import 'server-only';
import { accountByEmail } from './accounts';
import { readMailedToken } from './mailed-tokens';
import { readClaims } from './tokens';

/** Whether a mailed link can still do its work, so that a page says so before anything is typed. */
export interface MailedLink {
  state: 'good' | 'dead';
}

/** The link that sets a new password; `isAdmin` tells which of the two calls takes it. */
export function readResetLink(token: string): MailedLink & { isAdmin: boolean } {
  const isAdmin = readClaims(token)?.type === 'admin';
  const found = readMailedToken(token, isAdmin ? 'adminPasswordReset' : 'passwordReset');
  return { state: found ? 'good' : 'dead', isAdmin };
}

/** The link that verifies an address; `done` when it did so before. */
export function readVerificationLink(token: string): { state: MailedLink['state'] | 'done'; email: string } {
  const found = readMailedToken(token, 'verification');
  if (!found || found.account.email !== found.claims.email) return { state: 'dead', email: '' };
  return { state: found.account.verified ? 'done' : 'good', email: found.account.email };
}

/** The link that changes an address; `taken` when another account has the new one by now. */
export function readEmailChangeLink(token: string): { state: MailedLink['state'] | 'taken'; newEmail: string } {
  const newEmail = readMailedToken(token, 'emailChange')?.claims.newEmail;
  if (!newEmail) return { state: 'dead', newEmail: '' };
  return { state: accountByEmail(newEmail) ? 'taken' : 'good', newEmail };
}
