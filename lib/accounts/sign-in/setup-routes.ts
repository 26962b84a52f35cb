import 'server-only';
import { z } from 'zod';
import { users } from '../collection';
import { finishSetup, requireSetup } from './finish-setup';
import { rateLimits } from '@/lib/vocabulary/limits';
import type { Route } from '@/lib/http/context';
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
  avatar: z.file().optional().describe('In a multipart body'),
});

/** The first person's account. Both calls close for good once there is one, and until the next start after an hour. */
export const setupRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/setup',
    summary: 'Whether the first account is missing',
    guard: requireSetup,
    answer: z.strictObject({ needed: z.literal(true) }),
    handle: () => ({ needed: true as const }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/setup',
    summary: 'Creates the first account',
    query: AUTH_QUERY,
    guard(context) {
      requireSetup();
      limitCalls(turnsOfAddress(context, rateLimits.setupByAddress));
    },
    bodyShape: accountShape,
    bodyTypes: ['application/json', 'multipart/form-data'],
    read: (context) => readRecordBody(context, users),
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
      const account = await finishSetup(body);
      const from = originOf(context, 'password');
      await recordAuditAlone({ action: 'setup.finish', actor: actorOf(account), from, on: onAccount(account) });
      return authAnswer(account, context.query);
    },
  }),
];
