import 'server-only';
import {
  addPasskey,
  newPasskeySchema,
  passkeyNameSchema,
  passkeySignInSchema,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from './passkeys';
import { requireStepUp } from './step-up';
import { rateLimits } from '@/lib/vocabulary/limits';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { requireFactorCaller, signedInCaller } from '../guard';
import { authAnswer } from '../auth-answer';
import { auditedSignIn, auditFactor } from './factor-audit';
import { readJson } from '@/lib/http/json-body';
import { limitCalls, turnsOfAddress } from '@/lib/auth/limited';
import { answerAdded } from './second-factor-routes';

const BASE = '/api/passkeys';

async function handleOptions(context: RequestContext): Promise<KernelResponse> {
  const caller = requireFactorCaller(context);
  if (!caller.isEnrolling) await requireStepUp(caller, await readSmallBody(context));
  return { status: 200, json: await startPasskey(caller) };
}

async function handleAdd(context: RequestContext): Promise<KernelResponse> {
  const caller = requireFactorCaller(context);
  const { record, recoveryCodes } = await addPasskey(caller, await readJson(context, newPasskeySchema));
  await auditFactor(context, caller, { action: 'passkey.create', details: { name: record.name } });
  if (caller.isEnrolling) return answerAdded(context, caller, { passkey: record, recoveryCodes });
  return { status: 200, json: { ...record, recoveryCodes } };
}

async function handleRename(context: RequestContext): Promise<KernelResponse> {
  const caller = signedInCaller(context);
  const { name } = await readJson(context, passkeyNameSchema);
  const json = await renamePasskey(caller.account.id, { id: context.params.id!, name });
  await auditFactor(context, caller, { action: 'passkey.update', details: { name } });
  return { status: 200, json };
}

async function handleRemove(context: RequestContext): Promise<KernelResponse> {
  const caller = signedInCaller(context);
  await requireStepUp(caller, await readSmallBody(context), { takesCode: true });
  await removePasskey(caller, context.params.id!);
  await auditFactor(context, caller, { action: 'passkey.delete' });
  return { status: 204 };
}

async function handleSignIn(context: RequestContext): Promise<KernelResponse> {
  const answer = await readJson(context, passkeySignInSchema);
  const signIn = async () => ({ account: await signInWithPasskey(answer) });
  const { account } = await auditedSignIn(context, 'signIn.passkey', signIn);
  return authAnswer(account, context.query, { isSignIn: true });
}

/** Passkeys of accounts, and signing in with one. */
export const passkeyRoutes: Route[] = [
  { method: 'POST', path: `${BASE}/options`, handle: handleOptions },
  { method: 'POST', path: BASE, handle: handleAdd },
  { method: 'PATCH', path: `${BASE}/:id`, handle: handleRename },
  { method: 'DELETE', path: `${BASE}/:id`, handle: handleRemove },
  {
    method: 'POST',
    path: `${BASE}/sign-in/options`,
    async handle(context) {
      await limitCalls(turnsOfAddress(context, rateLimits.passkeyQuestionsByAddress));
      return { status: 200, json: await startPasskeySignIn() };
    },
  },
  { method: 'POST', path: `${BASE}/sign-in`, handle: handleSignIn },
];
