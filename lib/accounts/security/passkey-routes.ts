import 'server-only';
import { z } from 'zod';
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
import { passkeySchema } from './second-factor';
import { readStepUp, requireStepUp, stepUpOrCodeShape, stepUpShape } from './step-up';
import { rateLimits } from '@/lib/vocabulary/limits';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { requireFactorCaller, signedInCaller } from '../guard';
import { AUTH_QUERY, authAnswer, authAnswerSchema } from '../auth-answer';
import { auditedSignIn, auditFactor } from './factor-audit';
import { limitCalls, turnsOfAddress } from '@/lib/auth/limited';
import { answerAdded, ENROLMENT_QUERY, enrolledShape } from './second-factor-routes';

const BASE = '/api/passkeys';

const credentialExample = {
  id: 'what the browser answers',
  response: { clientDataJSON: 'what the browser answers' },
};

const signInOptionsSchema = z.looseObject({ challenge: z.string(), rpId: z.string().optional() });
const newOptionsSchema = z.looseObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string().optional(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
});

const recoveryCodes = z.array(z.string()).describe('Of the account’s first factor; empty otherwise');
/** Beside the passkey, or around it where setting it up has signed the account in. */
const addedSchema = z.union([
  z.strictObject({ ...passkeySchema.shape, recoveryCodes }),
  z.strictObject({ passkey: passkeySchema, recoveryCodes, ...enrolledShape }),
]);

/** Passkeys of accounts, and signing in with one. */
export const passkeyRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: `${BASE}/options`,
    summary: 'What a browser needs to make a passkey',
    guard: requireFactorCaller,
    bodyShape: stepUpShape,
    read: readStepUp,
    answer: newOptionsSchema,
    example: { password: 'Berth!pass1' },
    async handle({ caller, body }) {
      if (!caller.isEnrolling) await requireStepUp(caller, body);
      return { ...(await startPasskey(caller)) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: BASE,
    summary: 'Keeps a passkey',
    query: ENROLMENT_QUERY,
    guard: requireFactorCaller,
    body: newPasskeySchema,
    answer: addedSchema,
    example: { name: 'Laptop', response: credentialExample },
    async handle({ context, caller, body }) {
      const { record, recoveryCodes } = await addPasskey(caller, body);
      await auditFactor(context, caller, { action: 'passkey.create', details: { name: record.name } });
      if (caller.isEnrolling) return answerAdded(context, caller, { passkey: record, recoveryCodes });
      return { ...record, recoveryCodes };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${BASE}/:id`,
    summary: 'Renames a passkey',
    guard: signedInCaller,
    body: passkeyNameSchema,
    answer: passkeySchema,
    example: { name: 'Phone' },
    async handle({ context, caller, body: { name } }) {
      const renamed = await renamePasskey(caller.account.id, { id: context.params.id!, name });
      await auditFactor(context, caller, { action: 'passkey.update', details: { name } });
      return renamed;
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${BASE}/:id`,
    summary: 'Removes a passkey',
    guard: signedInCaller,
    bodyShape: stepUpOrCodeShape,
    example: { password: 'Berth!pass1' },
    async handle({ context, caller, body }) {
      await requireStepUp(caller, body, { takesCode: true });
      await removePasskey(caller, context.params.id!);
      await auditFactor(context, caller, { action: 'passkey.delete' });
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/sign-in/options`,
    summary: 'What a browser needs to log in with a passkey',
    answer: signInOptionsSchema,
    async handle({ context }) {
      await limitCalls(turnsOfAddress(context, rateLimits.passkeyQuestionsByAddress));
      return { ...(await startPasskeySignIn()) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/sign-in`,
    summary: 'Signs in with a passkey',
    query: AUTH_QUERY,
    body: passkeySignInSchema,
    answer: authAnswerSchema,
    picks: true,
    example: { response: credentialExample },
    async handle({ context, body }) {
      const signIn = async () => ({ account: await signInWithPasskey(body) });
      const { account } = await auditedSignIn(context, 'signIn.passkey', signIn);
      return authAnswer(account, context.query, { isSignIn: true });
    },
  }),
];
