import 'server-only';
import { z } from 'zod';
import { accountById } from '@/lib/auth/accounts';
import { users } from '../collection';
import { finishSignIn } from './pass-second-factor';
import {
  confirmTotp,
  readSecondFactor,
  removeTotp,
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorSchema,
  startTotp,
} from './second-factor';
import { maySkipPassword, readStepUp, requireStepUp, stepUpOrCodeShape, stepUpShape } from './step-up';
import { AppError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { textsOf } from '@/lib/http/form-body';
import { defineRoute, pickFrom } from '@/lib/http/route';
import { StoreReader } from '@/lib/records/transaction';
import {
  type FactorCaller,
  requireAccount,
  requireFactorCaller,
  securedAccountId,
  signedInCaller,
  USER_QUERY,
} from '../guard';
import { AUTH_QUERY, authAnswer, authAnswerSchema, type AuthAnswer } from '../auth-answer';
import { auditedSignIn, auditFactor, auditFactorReset } from './factor-audit';

const BASE = '/api/second-factor';

const stateSchema = secondFactorSchema.extend({
  needsPassword: z.boolean().optional().describe('Whether changes ask for it; of the own account alone'),
});

/** What comes with a first factor that was set up to sign in: the sign-in itself. */
const { token, record } = authAnswerSchema.shape;
export const enrolledShape = { token: token.optional(), record: record.optional() };
export const ENROLMENT_QUERY = { ...AUTH_QUERY, fields: 'What to keep of the log-in that goes on by this' };

/** Admins see another's state by `?user=`, to know what a reset would take away. */
function readState(context: RequestContext): z.output<typeof stateSchema> {
  const account = new StoreReader().get(users, securedAccountId(context))!;
  const isOwn = !context.query.get('user');
  const needsPassword = isOwn && !maySkipPassword(signedInCaller(context));
  return { ...readSecondFactor(account), ...(isOwn && { needsPassword }) };
}

async function reset(context: RequestContext): Promise<void> {
  const id = securedAccountId(context);
  if (!context.query.get('user') || id === requireAccount(context).id) {
    throw new AppError('invalid', 'Remove your own factors one by one; this takes away those of somebody else.');
  }
  await resetSecondFactor(id);
  await auditFactorReset(context, id);
}

/**
 * Whoever had to set up a factor to sign in has now proven both: the sign-in goes on. So it does for a client without a
 * session, whose token the first factor has ended.
 */
export function answerAdded<T extends object>(
  context: RequestContext,
  caller: FactorCaller,
  added: T,
): T & Partial<AuthAnswer> {
  if (caller.sessionId !== undefined) return added;
  const signedIn = authAnswer(accountById(caller.account.id)!, context.query, { isSignIn: true });
  return { ...added, ...(pickFrom(signedIn, context.query) as Partial<AuthAnswer>) };
}

/** The second factor of accounts. */
export const secondFactorRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: BASE,
    summary: 'What secures the log-in beside the password',
    query: USER_QUERY,
    answer: stateSchema,
    handle: ({ context }) => readState(context),
  }),
  defineRoute({
    method: 'DELETE',
    path: BASE,
    summary: 'Takes another account’s factors away; for admins',
    query: USER_QUERY,
    handle: ({ context }) => reset(context),
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/totp`,
    summary: 'A secret for an authenticator app',
    guard: requireFactorCaller,
    bodyShape: stepUpShape,
    read: readStepUp,
    answer: z.strictObject({ secret: z.string(), uri: z.string() }),
    example: { password: 'Berth!pass1' },
    async handle({ caller, body }) {
      if (!caller.isEnrolling) await requireStepUp(caller, body);
      return startTotp(caller);
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/totp/confirm`,
    summary: 'Turns the authenticator app on',
    query: ENROLMENT_QUERY,
    guard: requireFactorCaller,
    bodyShape: z.object({ code: z.string().describe('That the app shows') }),
    answer: z.strictObject({ recoveryCodes: z.array(z.string()), ...enrolledShape }),
    example: { code: '123456' },
    async handle({ context, caller, body }) {
      const recoveryCodes = await confirmTotp(caller, textsOf(body, 'code').code);
      await auditFactor(context, caller, { action: 'secondFactor.enable', details: { kind: 'totp' } });
      return answerAdded(context, caller, { recoveryCodes });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${BASE}/totp`,
    summary: 'Turns the authenticator app off',
    guard: signedInCaller,
    bodyShape: stepUpOrCodeShape,
    example: { password: 'Berth!pass1' },
    async handle({ context, caller, body }) {
      await requireStepUp(caller, body, { takesCode: true });
      await removeTotp(caller);
      await auditFactor(context, caller, { action: 'secondFactor.disable', details: { kind: 'totp' } });
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/recovery-codes`,
    summary: 'Ten new recovery codes',
    guard: signedInCaller,
    bodyShape: stepUpShape,
    answer: z.strictObject({ recoveryCodes: z.array(z.string()) }),
    example: { password: 'Berth!pass1' },
    async handle({ context, caller, body }) {
      await requireStepUp(caller, body);
      const recoveryCodes = await renewRecoveryCodes(caller.account.id);
      await auditFactor(context, caller, { action: 'recoveryCodes.create' });
      return { recoveryCodes };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/finish`,
    summary: 'Finishes a log-in by its code',
    query: AUTH_QUERY,
    bodyShape: z.object({ pendingToken: z.string().describe('Of the log-in that asked for it'), code: z.string() }),
    answer: authAnswerSchema,
    picks: true,
    example: { pendingToken: 'what the log-in answered', code: '123456' },
    async handle({ context, body }) {
      const { account, meta } = await auditedSignIn(context, 'signIn.secondFactor', () => finishSignIn(body));
      return authAnswer(account, context.query, { meta, isSignIn: true });
    },
  }),
];
