import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import type { Actor } from '@/lib/policies/actor';
import { timesSetting } from '@/lib/settings/times-setting';
import { keepHours, keepWorkspace } from './keep-workspace';

function requireLoggedIn(context: RequestContext): Actor {
  const actor = requestActor(context);
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return actor;
}

const minutes = () => z.int().describe('0 for none');

export const timeRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/workspaces/time-bounds',
    summary: 'How the time of workspaces is bounded here, and what new ones begin with',
    guard: requireLoggedIn,
    answer: z.strictObject({
      idleMinutesDefault: minutes(),
      idleMinutesMax: minutes(),
      deleteDaysDefault: minutes(),
      deleteDaysMax: minutes(),
      keepHoursMax: z.int().describe('For whoever asks: admins may keep for longer'),
    }),
    handle({ caller }) {
      const { idleMinutesDefault, idleMinutesMax, deleteDaysDefault, deleteDaysMax } = timesSetting();
      return { idleMinutesDefault, idleMinutesMax, deleteDaysDefault, deleteDaysMax, keepHoursMax: keepHours(caller) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/workspace/:id/keep',
    summary: 'Has the clock neither stop nor delete a workspace before a moment',
    guard: requireLoggedIn,
    body: z.strictObject({
      until: z.iso
        .datetime({ offset: true })
        .or(z.literal(''))
        .describe('Empty has the clock go on with it as it did before'),
    }),
    answer: z.strictObject({ keptUntil: z.string() }),
    example: { until: '2026-12-24T18:00:00Z' },
    handle: ({ context, caller, body }) => keepWorkspace(caller, { id: context.params.id ?? '', until: body.until }),
  }),
];
