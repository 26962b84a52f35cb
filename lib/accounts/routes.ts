import 'server-only';
import { z } from 'zod';
import { anyAccountById, onAccount, type Account } from '@/lib/auth/accounts';
import { requestActor } from '@/lib/auth/actor';
import { endSessionsOf } from '@/lib/auth/sessions';
import { users } from './collection';
import { confirmEmailChange, requestEmailChange } from './change-email';
import { externalAuthSchema, listExternalAuths, unlinkExternalAuth } from './external-auths';
import { confirmPasswordReset, requestPasswordReset } from './reset-password';
import { confirmVerification, requestVerification } from './verify-account';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { newSecret } from '@/lib/ids';
import type { RequestContext, Route } from '@/lib/http/context';
import { emailShape } from '@/lib/http/form-body';
import { defineRoute } from '@/lib/http/route';
import { actorUserId, hasFullAccess, refuseApiToken, type Actor } from '@/lib/policies/actor';
import { recordAudit, recordAuditAlone } from '@/lib/records/audit';
import { parseFields } from '@/lib/records/pick';
import { write } from '@/lib/records/transaction';
import { requireAccount } from './guard';
import { requireAccounts } from './auth-answer';
import { limitCalls } from '@/lib/auth/limited';
import { confirmations, confirmCall, mailCall, mailTurns } from './mail-calls';

const BASE = '/api/collections/:collection';
const LINKS = `${BASE}/records/:id/external-auths`;

/** The id in the path, if it is the caller's own or the caller is an admin. */
function ownedAccountId(context: RequestContext): string {
  requireAccounts(context);
  const actor = requestActor(context);
  if (actor.kind === 'guest') {
    throw new AppError('unauthenticated', 'The request requires admin or record authorization token to be set.');
  }
  const id = context.params.id!;
  if (actorUserId(actor) !== id && !hasFullAccess(actor)) {
    throw new AppError('forbidden', 'You are not allowed to perform this request.');
  }
  if (!anyAccountById(id)) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return id;
}

async function unlink(actor: Actor, { id, provider }: { id: string; provider: string }): Promise<void> {
  await unlinkExternalAuth(id, provider);
  const on = onAccount(anyAccountById(id)!);
  await recordAuditAlone({ action: 'provider.unlink', actor, on, details: { provider } });
}

/** Ends every token and session of the caller's account, this one too. */
async function signOutEverywhere(actor: Actor, account: Account): Promise<void> {
  const { id } = account;
  await write((tx) => {
    tx.patch(users, id, { tokenKey: newSecret(50) });
    endSessionsOf(tx, id);
    recordAudit(tx, { action: 'session.endAll', actor, on: onAccount(account) });
  });
}

const mailRoutes: Route[] = [
  mailCall({
    path: `${BASE}/request-password-reset`,
    summary: 'Mails a link to set a password',
    guard: requireAccounts,
    kind: 'passwordReset',
    request: requestPasswordReset,
  }),
  confirmCall({
    path: `${BASE}/confirm-password-reset`,
    summary: 'Sets a password by a mailed token',
    guard: requireAccounts,
    ...confirmations.newPassword,
    confirm: confirmPasswordReset,
  }),
  mailCall({
    path: `${BASE}/request-verification`,
    summary: 'Mails a link to verify an address',
    guard: requireAccounts,
    kind: 'verification',
    request: requestVerification,
  }),
  confirmCall({
    path: `${BASE}/confirm-verification`,
    summary: 'Verifies an address by a mailed token',
    guard: requireAccounts,
    ...confirmations.token,
    confirm: confirmVerification,
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/request-email-change`,
    summary: 'Mails a link to a new address',
    guard(context) {
      requireAccounts(context);
      return requireAccount(context);
    },
    bodyShape: z.object({ newEmail: emailShape }),
    example: { newEmail: 'ada.lovelace@example.com' },
    async handle({ context, body, caller: { id } }) {
      limitCalls(mailTurns(context, { email: id }, 'emailChange'));
      await requestEmailChange(id, body);
    },
  }),
  confirmCall({
    path: `${BASE}/confirm-email-change`,
    summary: 'Changes the address by a mailed token',
    guard: requireAccounts,
    ...confirmations.password,
    confirm: confirmEmailChange,
  }),
];

/** What people do with their account beside its record. */
export const accountRoutes: Route[] = [
  ...mailRoutes,
  defineRoute({
    method: 'GET',
    path: LINKS,
    summary: 'Linked providers',
    guard(context) {
      // Fields that can't be read are told before anything else.
      parseFields(context.query.get('fields') ?? '');
      return ownedAccountId(context);
    },
    answer: z.array(externalAuthSchema),
    picks: true,
    handle: ({ caller: id }) => listExternalAuths(id),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${LINKS}/:provider`,
    summary: 'Unlinks a provider',
    guard(context) {
      const actor = requestActor(context);
      refuseApiToken(actor);
      return { actor, id: ownedAccountId(context) };
    },
    handle: ({ context, caller: { actor, id } }) => unlink(actor, { id, provider: context.params.provider! }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/session/everywhere',
    summary: 'Ends every session and token of the account',
    guard: requireAccount,
    handle: ({ context, caller: account }) => signOutEverywhere(requestActor(context), account),
  }),
];
