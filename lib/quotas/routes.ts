import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { quotaSchema, tellQuota } from './tell-quota';

export const quotaRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/quota',
    summary: 'What a person may have, what says so, and what of it they use',
    query: { user: 'Whose quota it is; left out, the caller’s. That of others is for admins' },
    guard: requireLoggedIn,
    answer: quotaSchema,
    handle: ({ context: { query }, caller }) => tellQuota(caller, query.get('user') ?? ''),
  }),
];
