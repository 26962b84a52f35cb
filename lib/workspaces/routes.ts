import 'server-only';
import { z } from 'zod';
import { requestActor, streamActor } from '@/lib/auth/actor';
import { openWorkspaceLogs, type OpenLogs } from './read-workspace-logs';
import { requestWorkspace } from './request-workspace';
import { findWorkspaceChanges } from './changes';
import { WORKSPACE_ACTIONS } from '@/lib/vocabulary/workspace-status';
import { AppError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { readJson } from '@/lib/http/json-body';
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

export const workspaceRoutes: Route[] = [
  {
    method: 'POST',
    path: '/api/workspace/:id/request',
    async handle(context) {
      const { action } = await readJson(context, requestSchema);
      const force = context.query.get('force') === '1';
      const json = await requestWorkspace(requestActor(context), { workspaceId: workspaceId(context), action, force });
      return { status: 202, json };
    },
  },
  {
    method: 'GET',
    path: '/api/workspace/:id/changes',
    handle: (context) => ({ status: 200, json: findWorkspaceChanges(requestActor(context), workspaceId(context)) }),
  },
  {
    method: 'GET',
    path: '/api/workspace/:id/logs',
    async handle(context) {
      const actor = await streamActor(context);
      const scope = createScope(context.signal);
      const logs = openWorkspaceLogs(actor, { workspaceId: workspaceId(context), ...logsQuery(context) }, scope.signal);
      return eventStream(scope, logEvents(logs, scope.signal));
    },
  },
  {
    method: 'GET',
    path: '/api/workspace/:id/logs/download',
    async handle(context) {
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
  },
];
