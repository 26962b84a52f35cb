import 'server-only';
import { z } from 'zod';
import { streamActor } from '@/lib/auth/actor';
import { takeStreamPlace } from '@/lib/auth/stream-places';
import { AppError } from '@/lib/errors';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { createScope, eventStream, scopedBody, type SseEvent } from '@/lib/http/sse';
import { isLogLine, LOG_LEVELS } from '@/lib/protocol/streams';
import { type LogsRequest, openWorkspaceLogs, type OpenWorkspaceLogs } from './read-workspace-logs';

const TAIL_DEFAULT = 1000;
const TAIL_MAX = 100_000;
/** Lines of one range, so that no call reads a whole large log into one reader. */
const RANGE_MAX = 50_000;
const HITS_MAX = 10_000;

/** RFC 3339 with up to nanoseconds, as engines stamp lines. */
const timestampSchema = z.union([z.literal(''), z.iso.datetime({ offset: true })]);
const flagSchema = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');
const lineNumberSchema = z.coerce.number().int().min(1);

const logsQuerySchema = z.object({
  tail: z
    .union([z.literal('all').transform(() => null), z.coerce.number().int().min(0).max(TAIL_MAX)])
    .default(TAIL_DEFAULT),
  since: timestampSchema.default(''),
  until: timestampSchema.default(''),
  follow: flagSchema.default(true),
  numbered: flagSchema.default(false),
});

const rangeQuerySchema = z
  .object({
    container: z.string().min(1),
    from: lineNumberSchema,
    to: lineNumberSchema,
    before: timestampSchema.default(''),
  })
  .refine(({ from, to }) => to >= from && to - from < RANGE_MAX, { path: ['to'] });

const searchQuerySchema = z.object({
  container: z.string().min(1),
  from: lineNumberSchema.default(1),
  to: lineNumberSchema.optional(),
  pattern: z.string().max(1000).default(''),
  regex: flagSchema.default(false),
  case: flagSchema.default(false),
  invert: flagSchema.default(false),
  levels: z
    .string()
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(z.enum(LOG_LEVELS)))
    .default([]),
  limit: z.coerce.number().int().min(1).max(HITS_MAX).default(1000),
});

function workspaceId(context: RequestContext): string {
  return context.params.id ?? '';
}

/** A resumed reader gets everything after its last line; a new one so many lines from the end. */
function logsQuery(context: RequestContext) {
  const query = logsQuerySchema.parse(Object.fromEntries(context.query));
  const lastEventId = timestampSchema.catch('').parse(context.header('last-event-id'));
  const since = lastEventId || query.since;
  const until = query.until && inUtc(query.until);
  const follow = query.follow && until === '';
  return { ...query, since, until, follow, tail: lastEventId ? null : query.tail };
}

/** As engines stamp lines, so that texts compare as times do. */
function inUtc(timestamp: string): string {
  return timestamp.endsWith('Z') ? timestamp : new Date(timestamp).toISOString();
}

async function* logEvents(logs: OpenWorkspaceLogs, signal: AbortSignal): AsyncGenerator<SseEvent> {
  try {
    let next = await logs.events.next();
    for (; !next.done; next = await logs.events.next()) {
      for (const event of next.value) {
        yield isLogLine(event) ? { id: event.t, data: event } : { event: 'news', data: event };
      }
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
async function* logText(logs: OpenWorkspaceLogs): AsyncGenerator<string> {
  try {
    for await (const events of logs.events) {
      yield events
        .filter(isLogLine)
        .map(({ t, m }) => `${t} ${m}\n`)
        .join('');
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield `[The log ends here: ${error.message}]\n`;
  }
}

/** Lines and news, one JSON value a line; the last one says what went wrong, where something did. */
async function* logRows(logs: OpenWorkspaceLogs): AsyncGenerator<string> {
  try {
    for await (const events of logs.events) yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (logs.revoked.aborted) yield failedRow('You may no longer read these logs.');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    yield failedRow(error.message);
  }
}

function failedRow(message: string): string {
  return `${JSON.stringify({ k: 'failed', message })}\n`;
}

async function answerRows(context: RequestContext, request: LogsRequest): Promise<KernelResponse> {
  const actor = await streamActor(context);
  const scope = createScope(context.signal);
  const logs = openWorkspaceLogs(actor, request, scope.signal);
  takeStreamPlace(actor, scope);
  return {
    status: 200,
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store, no-transform' },
    body: scopedBody(scope, logRows(logs)),
  };
}

const LOGS_SPAN = {
  since: 'Time of the line to begin after, RFC 3339',
  until: 'Time to end at, RFC 3339; nothing is followed then, and `tail` counts from there',
};
const OF_CONTAINER = { container: 'Id of the container whose log it is, as the event `source` names it' };

export const workspaceLogRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/logs',
    summary: 'A workspace’s log as an event stream, on through ends and starts of its container',
    query: {
      ...LOGS_SPAN,
      tail: 'Lines from the end, or `all`',
      follow: '`0` ends at what there is',
      numbered: '`1` has an event tell how many lines lie before the first',
    },
    mediaType: 'text/event-stream',
    async handle({ context }) {
      const actor = await streamActor(context);
      const scope = createScope(context.signal);
      const request = { kind: 'logs' as const, workspaceId: workspaceId(context), ...logsQuery(context) };
      const logs = openWorkspaceLogs(actor, request, scope.signal);
      takeStreamPlace(actor, scope);
      return eventStream(scope, logEvents(logs, scope.signal));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/logs/range',
    summary: 'Lines of a workspace’s log by their numbers, one JSON value a line',
    query: {
      ...OF_CONTAINER,
      from: 'Number of the first line',
      to: `Number of the last line, at most ${RANGE_MAX} in all`,
      before: 'Time of a line: it and later ones are left out',
    },
    mediaType: 'application/x-ndjson',
    async handle({ context }) {
      const { container, ...range } = rangeQuerySchema.parse(Object.fromEntries(context.query));
      return answerRows(context, {
        kind: 'logRange',
        workspaceId: workspaceId(context),
        containerId: container,
        ...range,
      });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/logs/search',
    summary: 'The lines of a workspace’s log that match, one JSON value a line; the last one counts them',
    query: {
      ...OF_CONTAINER,
      from: 'Number of the line to begin at',
      to: 'Number of the line to end at',
      pattern: 'Text to find',
      regex: '`1` takes the pattern as a regular expression',
      case: '`1` minds upper and lower case',
      invert: '`1` finds the lines that do not match',
      levels: 'Levels of lines, with commas between: error, warn, info, debug',
      limit: `Lines to send, at most ${HITS_MAX}`,
    },
    mediaType: 'application/x-ndjson',
    async handle({ context }) {
      const query = searchQuerySchema.parse(Object.fromEntries(context.query));
      return answerRows(context, {
        kind: 'logSearch',
        workspaceId: workspaceId(context),
        containerId: query.container,
        from: query.from,
        to: query.to ?? null,
        pattern: query.pattern,
        isRegex: query.regex,
        isCaseSensitive: query.case,
        isInverted: query.invert,
        levels: query.levels,
        limit: query.limit,
      });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/logs/download',
    summary: 'A workspace’s log as a file',
    query: LOGS_SPAN,
    mediaType: 'text/plain',
    async handle({ context }) {
      const actor = await streamActor(context);
      const { since, until } = logsQuery(context);
      const scope = createScope(context.signal);
      const what = { since, until, tail: null, follow: false, numbered: false };
      const request = { workspaceId: workspaceId(context), ...what };
      const logs = openWorkspaceLogs(actor, { kind: 'logs', ...request }, scope.signal);
      takeStreamPlace(actor, scope);
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
