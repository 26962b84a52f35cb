import 'server-only';
import { z } from 'zod';
import { requestActor, streamActor } from '@/lib/auth/actor';
import { openWorkspaceLogs, type OpenLogs } from './read-workspace-logs';
import { requestWorkspace } from './request-workspace';
import { findWorkspaceChanges } from './changes';
import { WORKSPACE_ACTIONS } from '@/lib/vocabulary/workspace-status';
import { AppError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { createScope, eventStream, scopedBody, type SseEvent } from '@/lib/http/sse';

const TAIL_DEFAULT = 1000;
const TAIL_MAX = 100_000;

const requestSchema = z.strictObject({ action: z.enum(WORKSPACE_ACTIONS) });

/** RFC 3339 with up to nanoseconds, as engines stamp lines. */
const timestampSchema = z.union([z.literal(''), z.iso.datetime({ offset: true })]);
const flagSchema = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');

const logsQuerySchema = z.object({
  tail: z
    .union([z.literal('all').transform(() => null), z.coerce.number().int().min(0).max(TAIL_MAX)])
    .default(TAIL_DEFAULT),
  since: timestampSchema.default(''),
  follow: flagSchema.default(true),
});

function workspaceId(context: RequestContext): string {
  return context.params.id ?? '';
}

/** A resumed reader gets everything after its last line; a new one so many lines from the end. */
function logsQuery(context: RequestContext) {
  const query = logsQuerySchema.parse(Object.fromEntries(context.query));
  const lastEventId = timestampSchema.catch('').parse(context.header('last-event-id'));
  const since = lastEventId || query.since;
  return { ...query, since, tail: lastEventId ? null : query.tail };
}

async function* logEvents(logs: OpenLogs, signal: AbortSignal): AsyncGenerator<SseEvent> {
  try {
    let next = await logs.lines.next();
    for (; !next.done; next = await logs.lines.next()) {
      for (const line of next.value) yield { id: line.t, data: line };
    }
    if (logs.revoked.aborted) yield endEvent('You may no longer read these logs.', 'revoked');
    else if (!signal.aborted) yield endEvent(next.value, 'ended');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield endEvent(error.message, 'lost');
  }
}

function endEvent(message: string, reason: 'ended' | 'lost' | 'revoked'): SseEvent {
  return { event: 'end', data: { message, reason } };
}

/** Lines of text as they are downloaded. What goes wrong on the way is said in the file. */
async function* logText(logs: OpenLogs): AsyncGenerator<string> {
  try {
    for await (const lines of logs.lines) yield lines.map(({ t, m }) => `${t} ${m}\n`).join('');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield `[The log ends here: ${error.message}]\n`;
  }
}

const LOGS_SINCE = { since: 'Time of the line to begin after, RFC 3339' };

export const workspaceRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/workspace/:id/request',
    summary: 'Starts, stops, redeploys, enables, disables or deletes a workspace',
    query: { force: '`1` has a deletion by an admin not wait for the host' },
    body: requestSchema,
    answer: z.strictObject({ id: z.string(), status: z.string(), generation: z.int() }),
    status: 202,
    example: { action: 'start' },
    handle({ context, body: { action } }) {
      const force = context.query.get('force') === '1';
      return requestWorkspace(requestActor(context), { workspaceId: workspaceId(context), action, force });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/changes',
    summary: 'What a redeployment would change',
    answer: z.strictObject({
      changed: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    }),
    handle: ({ context }) => findWorkspaceChanges(requestActor(context), workspaceId(context)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/logs',
    summary: 'A workspace’s log as an event stream',
    query: { ...LOGS_SINCE, tail: 'Lines from the end, or `all`', follow: '`0` ends at what there is' },
    mediaType: 'text/event-stream',
    async handle({ context }) {
      const actor = await streamActor(context);
      const scope = createScope(context.signal);
      const logs = openWorkspaceLogs(actor, { workspaceId: workspaceId(context), ...logsQuery(context) }, scope.signal);
      return eventStream(scope, logEvents(logs, scope.signal));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/logs/download',
    summary: 'A workspace’s log as a file',
    query: LOGS_SINCE,
    mediaType: 'text/plain',
    async handle({ context }) {
      const actor = await streamActor(context);
      const { since } = logsQuery(context);
      const scope = createScope(context.signal);
      const request = { workspaceId: workspaceId(context), since, tail: null, follow: false };
      const logs = openWorkspaceLogs(actor, request, scope.signal);
      const fileName = `${logs.name.replace(/[^\w.-]+/g, '_')}.log`;
      return {
        status: 200,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName}"`,
          'cache-control': 'no-store, no-transform',
        },
        body: scopedBody(scope, logText(logs)),
      };
    },
  }),
];
