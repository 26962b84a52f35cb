import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { limits } from '@/lib/vocabulary/limits';
import { removeVolume } from './remove-volume';

const removeSchema = z.strictObject({
  removeData: z.boolean(),
  name: z.string().max(limits.nameLength).default(''),
});

export const volumeRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/volume/:id/remove',
    summary: 'Removes a volume, and what is in it when that is said and its name is given',
    body: removeSchema,
    status: 204,
    example: { removeData: true, name: 'models' },
    async handle({ context, body }) {
      await removeVolume(requestActor(context), { volumeId: context.params.id ?? '', ...body });
    },
  }),
];
