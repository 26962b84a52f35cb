import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { type Actor, actorUserId } from '@/lib/policies/actor';
import { may, requireAct } from '@/lib/records/acts';
import { workspaces } from '../collection';
import { timeBoundsOf } from '@/lib/quotas/bounds';
import { usualTimes } from './bounds';
import { keepHours, keepWorkspace } from './keep-workspace';

function ownerOf(actor: Actor, workspaceId: string): string {
  if (workspaceId === '') return actorUserId(actor);
  const row = requireAct(actor, { collection: workspaces, id: workspaceId, act: 'view' });
  const isConcerned = (['modify', 'deploy'] as const).some((act) => may(actor, { collection: workspaces, row, act }));
  // What binds an owner is told to whoever it would refuse.
  if (!isConcerned) throw new AppError('forbidden', 'You are not allowed to perform this request.');
  return row.created_by;
}

const count = () => z.int().describe('0 for none');

export const timeRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/workspaces/time-bounds',
    summary: 'How the time of workspaces is bounded, and what new ones begin with',
    guard: requireLoggedIn,
    query: { workspace: 'Those of its owner, for whoever may change or start it; left out, those of the caller' },
    answer: z.strictObject({
      idleMinutesDefault: count(),
      idleMinutesMax: count(),
      deleteDaysDefault: count(),
      deleteDaysMax: count(),
      keepHoursMax: z.int().describe('For whoever asks: admins may keep for longer'),
    }),
    handle({ caller, context: { query } }) {
      const owner = ownerOf(caller, query.get('workspace') ?? '');
      const { idleMinutesMax, deleteDaysMax } = timeBoundsOf(owner);
      const usual = usualTimes(owner);
      return {
        idleMinutesDefault: usual.idleMinutes,
        idleMinutesMax: idleMinutesMax.bound ?? 0,
        deleteDaysDefault: usual.deleteDays,
        deleteDaysMax: deleteDaysMax.bound ?? 0,
        keepHoursMax: keepHours(caller, owner),
      };
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
