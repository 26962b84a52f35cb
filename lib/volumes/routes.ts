import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { limits } from '@/lib/vocabulary/limits';
import { countHiddenUsers } from './hidden-users';
import { requireVolume } from './files/request';
import { removeVolume } from './remove-volume';

const removeSchema = z.strictObject({
  removeData: z.boolean(),
  name: z.string().max(limits.nameLength).default(''),
});

export const volumeRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/volume/:id/usage',
    summary: 'How many workspaces have a volume that the caller may not see; the others are listed as records',
    guard: (context) => requireVolume(context, 'view'),
    answer: z.strictObject({ hidden: z.int() }),
    handle: ({ caller: { actor, volume } }) => ({ hidden: countHiddenUsers(actor, volume.id) }),
  }),
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
