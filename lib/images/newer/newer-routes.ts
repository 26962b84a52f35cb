import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { askNewerFor } from './ask-newer';

export const newerRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/image/:id/check-newer',
    summary: 'Has the host of a pulled image ask its registry whether there is a newer one',
    guard: requireLoggedIn,
    answer: z.strictObject({ isNewer: z.boolean(), digest: z.string().describe('Of what the registry has') }),
    handle: ({ context, caller }) => askNewerFor(caller, context.params.id ?? '', context.signal),
  }),
];
