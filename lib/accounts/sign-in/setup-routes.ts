import 'server-only';
import { z } from 'zod';
import { users } from '../collection';
import { finishSetup, requireSetup } from './finish-setup';
import { requireSetupCode } from './setup-code';
import { isSameOrigin } from '@/lib/auth/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { rateLimits } from '@/lib/vocabulary/limits';
import type { RequestContext, Route } from '@/lib/http/context';
import { recordAuditAlone } from '@/lib/records/audit';
import { originOf } from '@/lib/auth/call-origin';
import { limitCalls, turnsOfAddress } from '@/lib/auth/limited';
import { readRecordBody } from '@/lib/http/record-body';
import { emailShape } from '@/lib/http/form-body';
import { defineRoute } from '@/lib/http/route';
import { AUTH_QUERY, authAnswer, authAnswerSchema } from '../auth-answer';
import { actorOf, onAccount } from '@/lib/auth/accounts';

const accountShape = z.object({
  email: emailShape,
  name: z.string(),
  username: z.string(),
  password: z.string(),
  passwordConfirm: z.string(),
  code: z.string().optional().describe('The set-up code, unless the console is reached on its own machine'),
  avatar: z.file().optional().describe('In a multipart body'),
});

/** A picture and some texts. */
const BODY_BYTES = 8 * 1024 * 1024;

/** Throws AppError `forbidden` for pages of other origins: any of them could set up a console that its reader can reach. */
function openSetup(context: RequestContext): void {
  requireSetup();
  const origin = context.header('origin');
  const isFromPage = origin !== '' || context.header('sec-fetch-site') !== '';
  if (!isFromPage || isSameOrigin(context) || origin === new URL(env().publicUrl).origin) return;
  throw new AppError('forbidden', 'The console is set up by its own page alone.');
}

/** The first person's account. Both calls close for good once there is one, and until the next start after an hour. */
export const setupRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/setup',
    summary: 'Whether the first account is missing',
    isOwn: true,
    guard: openSetup,
    answer: z.strictObject({
      needed: z.literal(true),
      code: z.boolean().describe('Whether the set-up code is asked for'),
    }),
    handle: ({ context }) => ({ needed: true as const, code: !context.isLocal }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/setup',
    summary: 'Creates the first account',
    query: AUTH_QUERY,
    isOwn: true,
    guard(context) {
      openSetup(context);
      limitCalls(turnsOfAddress(context, rateLimits.setupByAddress));
    },
    bodyShape: accountShape,
    bodyTypes: ['application/json', 'multipart/form-data'],
    read: (context) => readRecordBody(context, users, { limitBytes: BODY_BYTES }),
    answer: authAnswerSchema,
    picks: true,
    example: {
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      username: 'ada',
      password: 'Berth!pass1',
      passwordConfirm: 'Berth!pass1',
    },
    async handle({ context, body }) {
      if (!context.isLocal) requireSetupCode(body.body.code);
      const account = await finishSetup(body);
      const from = originOf(context, 'password');
      await recordAuditAlone({ action: 'setup.finish', actor: actorOf(account), from, on: onAccount(account) });
      return authAnswer(account, context.query);
    },
  }),
];
