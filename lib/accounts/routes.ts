import 'server-only';
import { anyAccountById, onAccount } from '@/lib/auth/accounts';
import { requestActor } from '@/lib/auth/actor';
import { endSessionsOf } from '@/lib/auth/sessions';
import { users } from './collection';
import { confirmEmailChange, requestEmailChange } from './change-email';
import { listExternalAuths, unlinkExternalAuth } from './external-auths';
import { confirmPasswordReset, requestPasswordReset } from './reset-password';
import { confirmVerification, requestVerification } from './verify-account';
import { rateLimits } from '@/lib/vocabulary/limits';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { newSecret } from '@/lib/ids';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { log } from '@/lib/log';
import { actorUserId, hasFullAccess, refuseApiToken } from '@/lib/policies/actor';
import { recordAudit, recordAuditAlone, type AuditOrigin } from '@/lib/records/audit';
import { parseFields } from '@/lib/records/pick';
import { write } from '@/lib/records/transaction';
import type { Turn } from '@/lib/stores/rate-limits';
import { requireAccount } from './guard';
import { requireAccounts } from './auth-answer';
import { originOf } from '@/lib/auth/call-origin';
import { limitCalls, limitGuesses, spellingOf, turnsOfAddress } from '@/lib/auth/limited';

const BASE = '/api/collections/:collection';
type Body = Readonly<Record<string, unknown>>;
const DONE: KernelResponse = { status: 204 };

/** Runs what an answer must not wait for: how long it takes would tell whether there is such an account. */
export function afterAnswer(work: () => Promise<void>): void {
  setImmediate(() => {
    work().catch((error: unknown) => log.error({ err: error }, 'a mail could not be sent'));
  });
}

type Mailed = 'passwordReset' | 'verification' | 'emailChange';

/** The turns of a call that sends mail: by the account, whether or not there is one, and by the caller's address. */
export function mailTurns(context: RequestContext, { email }: Body, kind: Mailed): Turn[] {
  const byAccount = { limit: rateLimits[`${kind}ByAccount`], who: spellingOf(email) };
  return [byAccount, ...turnsOfAddress(context, rateLimits[`${kind}ByAddress`])];
}

function mailCall(path: string, kind: Mailed, request: (body: Body) => () => Promise<void>): Route {
  return {
    method: 'POST',
    path: `${BASE}/${path}`,
    async handle(context) {
      requireAccounts(context);
      const body = await readSmallBody(context);
      const mail = request(body);
      limitCalls(mailTurns(context, body, kind));
      afterAnswer(mail);
      return DONE;
    },
  };
}

function confirmCall(path: string, confirm: (body: Body, from: AuditOrigin) => Promise<void>): Route {
  return {
    method: 'POST',
    path: `${BASE}/${path}`,
    async handle(context) {
      requireAccounts(context);
      const body = await readSmallBody(context);
      const turns = turnsOfAddress(context, rateLimits.confirmByAddress);
      await limitGuesses(turns, () => confirm(body, originOf(context, 'mail')));
      return DONE;
    },
  };
}

async function handleEmailChange(context: RequestContext): Promise<KernelResponse> {
  requireAccounts(context);
  const { id } = requireAccount(context);
  const body = await readSmallBody(context);
  limitCalls(mailTurns(context, { email: id }, 'emailChange'));
  await requestEmailChange(id, body);
  return DONE;
}

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

function handleListLinks(context: RequestContext): KernelResponse {
  const pick = parseFields(context.query.get('fields') ?? '');
  const links = listExternalAuths(ownedAccountId(context));
  return { status: 200, json: pick ? pick(links) : links };
}

async function handleUnlink(context: RequestContext): Promise<KernelResponse> {
  const actor = requestActor(context);
  refuseApiToken(actor);
  const id = ownedAccountId(context);
  const provider = context.params.provider!;
  await unlinkExternalAuth(id, provider);
  const on = onAccount(anyAccountById(id)!);
  await recordAuditAlone({ action: 'provider.unlink', actor, on, details: { provider } });
  return DONE;
}

/** Ends every token and session of the caller's account, this one too. */
async function handleSignOutEverywhere(context: RequestContext): Promise<KernelResponse> {
  const account = requireAccount(context);
  const { id } = account;
  const actor = requestActor(context);
  await write((tx) => {
    tx.patch(users, id, { tokenKey: newSecret(50) });
    endSessionsOf(tx, id);
    recordAudit(tx, { action: 'session.endAll', actor, on: onAccount(account) });
  });
  return DONE;
}

/** What people do with their account beside its record. */
export const accountRoutes: Route[] = [
  mailCall('request-password-reset', 'passwordReset', requestPasswordReset),
  confirmCall('confirm-password-reset', confirmPasswordReset),
  mailCall('request-verification', 'verification', requestVerification),
  confirmCall('confirm-verification', confirmVerification),
  { method: 'POST', path: `${BASE}/request-email-change`, handle: handleEmailChange },
  confirmCall('confirm-email-change', confirmEmailChange),
  { method: 'GET', path: `${BASE}/records/:id/external-auths`, handle: handleListLinks },
  { method: 'DELETE', path: `${BASE}/records/:id/external-auths/:provider`, handle: handleUnlink },
  { method: 'DELETE', path: '/api/session/everywhere', handle: handleSignOutEverywhere },
];
