import 'server-only';
import { accountById } from '@/lib/auth/accounts';
import { users } from '../collection';
import { finishSignIn } from './pass-second-factor';
import {
  confirmTotp,
  readSecondFactor,
  removeTotp,
  renewRecoveryCodes,
  resetSecondFactor,
  startTotp,
} from './second-factor';
import { maySkipPassword, requireStepUp } from './step-up';
import { AppError } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { textsOf } from '@/lib/http/form-body';
import { StoreReader } from '@/lib/records/transaction';
import { type FactorCaller, requireAccount, requireFactorCaller, securedAccountId, signedInCaller } from '../guard';
import { authAnswer } from '../auth-answer';
import { auditedSignIn, auditFactor, auditFactorReset } from './factor-audit';

const BASE = '/api/second-factor';

/** Admins see another's state by `?user=`, to know what a reset would take away. */
function handleRead(context: RequestContext): KernelResponse {
  const account = new StoreReader().get(users, securedAccountId(context))!;
  const isOwn = !context.query.get('user');
  const needsPassword = isOwn && !maySkipPassword(signedInCaller(context));
  return { status: 200, json: { ...readSecondFactor(account), ...(isOwn && { needsPassword }) } };
}

async function handleReset(context: RequestContext): Promise<KernelResponse> {
  const id = securedAccountId(context);
  if (!context.query.get('user') || id === requireAccountId(context)) {
    throw new AppError('invalid', 'Remove your own factors one by one; this takes away those of somebody else.');
  }
  await resetSecondFactor(id);
  await auditFactorReset(context, id);
  return { status: 204 };
}

function requireAccountId(context: RequestContext): string {
  return requireAccount(context).id;
}

async function handleStartTotp(context: RequestContext): Promise<KernelResponse> {
  const caller = requireFactorCaller(context);
  if (!caller.isEnrolling) await requireStepUp(caller, await readSmallBody(context));
  return { status: 200, json: await startTotp(caller) };
}

async function handleConfirmTotp(context: RequestContext): Promise<KernelResponse> {
  const caller = requireFactorCaller(context);
  const { code } = textsOf(await readSmallBody(context), 'code');
  const recoveryCodes = await confirmTotp(caller, code);
  await auditFactor(context, caller, { action: 'secondFactor.enable', details: { kind: 'totp' } });
  return answerAdded(context, caller, { recoveryCodes });
}

/** Whoever had to set up a factor to sign in has now proven both: the sign-in goes on. */
export function answerAdded(context: RequestContext, caller: FactorCaller, added: object): KernelResponse {
  if (!caller.isEnrolling) return { status: 200, json: added };
  const signedIn = authAnswer(accountById(caller.account.id)!, context.query, { isSignIn: true });
  return { status: 200, json: { ...added, ...(signedIn.json as object) } };
}

async function handleRemoveTotp(context: RequestContext): Promise<KernelResponse> {
  const caller = signedInCaller(context);
  await requireStepUp(caller, await readSmallBody(context), { takesCode: true });
  await removeTotp(caller);
  await auditFactor(context, caller, { action: 'secondFactor.disable', details: { kind: 'totp' } });
  return { status: 204 };
}

async function handleRecoveryCodes(context: RequestContext): Promise<KernelResponse> {
  const caller = signedInCaller(context);
  await requireStepUp(caller, await readSmallBody(context));
  const recoveryCodes = await renewRecoveryCodes(caller.account.id);
  await auditFactor(context, caller, { action: 'recoveryCodes.create' });
  return { status: 200, json: { recoveryCodes } };
}

async function handleFinish(context: RequestContext): Promise<KernelResponse> {
  const body = await readSmallBody(context);
  const { account, meta } = await auditedSignIn(context, 'signIn.secondFactor', () => finishSignIn(body));
  return authAnswer(account, context.query, { meta, isSignIn: true });
}

/** The second factor of accounts. */
export const secondFactorRoutes: Route[] = [
  { method: 'GET', path: BASE, handle: handleRead },
  { method: 'DELETE', path: BASE, handle: handleReset },
  { method: 'POST', path: `${BASE}/totp`, handle: handleStartTotp },
  { method: 'POST', path: `${BASE}/totp/confirm`, handle: handleConfirmTotp },
  { method: 'DELETE', path: `${BASE}/totp`, handle: handleRemoveTotp },
  { method: 'POST', path: `${BASE}/recovery-codes`, handle: handleRecoveryCodes },
  { method: 'POST', path: `${BASE}/finish`, handle: handleFinish },
];
