import 'server-only';
import { requestActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import type { Actor } from '@/lib/policies/actor';
import { quotaSchema, tellQuota } from './tell-quota';

function requireLogIn(context: RequestContext): Actor {
  const actor = requestActor(context);
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return actor;
}

export const quotaRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/quota',
    summary: 'What a person may have, what says so, and what of it they use',
    query: { user: 'Whose quota it is; left out, the caller’s. That of others is for admins' },
    guard: requireLogIn,
    answer: quotaSchema,
    handle: ({ context: { query }, caller }) => tellQuota(caller, query.get('user') ?? ''),
  }),
];
