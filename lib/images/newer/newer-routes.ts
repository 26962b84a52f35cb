import 'server-only';
import { z } from 'zod';
import { requireSignedIn } from '@/lib/hosts/require-modify';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { askNewerFor } from './ask-newer';

export const newerRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/image/:id/check-newer',
    summary: 'Has the host of a pulled image ask its registry whether there is a newer one',
    guard: requireSignedIn,
    answer: z.strictObject({ isNewer: z.boolean(), digest: z.string().describe('Of what the registry has') }),
    handle: ({ context, caller }) => askNewerFor(caller, context.params.id ?? '', context.signal),
  }),
];
