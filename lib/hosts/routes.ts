import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { createJoinToken } from './create-join-token';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import type { Route } from '@/lib/http/context';
import { readJson } from '@/lib/http/json-body';

export const joinTokenSchema = z.strictObject({
  name: z.string().trim().max(limits.nameLength).optional(),
  reusable: z.boolean().optional(),
  replaceKey: z.boolean().optional(),
});

export const hostRoutes: Route[] = [
  {
    method: 'POST',
    path: '/api/hosts/join-token',
    async handle(context) {
      const actor = requestActor(context);
      if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a signed-in user.');
      const answer = await createJoinToken(actor, await readJson(context, joinTokenSchema));
      return { status: 200, json: answer, headers: { 'cache-control': 'no-store' } };
    },
  },
];
