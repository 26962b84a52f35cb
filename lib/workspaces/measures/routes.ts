import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import { askHost } from '@/lib/hosts/link/ask-host';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { listenersSchema, METRIC_SPANS, metricsSchema } from '@/lib/protocol/measure-streams';
import { requireAct } from '@/lib/records/acts';
import { workspaces, type WorkspaceRow } from '../collection';

const querySchema = z.object({ span: z.enum(METRIC_SPANS).default('recent') });

/** The workspace, for whoever may see it. Throws `unauthenticated` and `not_found`. */
function seen(context: RequestContext): WorkspaceRow {
  const actor = requestActor(context);
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return requireAct(actor, { collection: workspaces, id: context.params.id ?? '', act: 'view' });
}

/** How a workspace does, asked of its host whenever somebody looks: nothing of it is stored here. */
export const workspaceMeasureRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/metrics',
    summary: 'What a workspace uses of processor, memory, network and cards: the last ten minutes, or the last day',
    query: { span: '`recent` every ten seconds, or `day` by the minute' },
    guard: seen,
    answer: metricsSchema,
    handle({ context, caller: { id, host } }) {
      const { span } = querySchema.parse(Object.fromEntries(context.query));
      const { signal } = context;
      return askHost(host, { kind: 'metrics', workspaceId: id, span }, { schema: metricsSchema, signal });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/ports',
    summary: 'TCP ports that are listened on in a workspace that runs',
    guard: seen,
    answer: listenersSchema,
    handle({ context: { signal }, caller: { id, host, status } }) {
      if (status !== 'running') return { listeners: [] };
      return askHost(host, { kind: 'listeners', workspaceId: id }, { schema: listenersSchema, signal });
    },
  }),
];
