import 'server-only';
import { z } from 'zod';
import { logs } from './logs';
import { requireAdmin } from '@/lib/auth/admin-guard';
import type { RequestContext, Route } from '@/lib/http/context';
import { LIST_QUERY, listQueryOf, pageOf } from '@/lib/http/list-query';
import { defineRoute } from '@/lib/http/route';
import { countByHour } from '@/lib/records/hourly';
import { listRecords, viewRecord } from '@/lib/records/reader';
import { requestLogs } from '@/lib/stores/request-logs';

const logSchema = z.strictObject({
  id: z.string(),
  created: z.string(),
  updated: z.string(),
  level: z.number(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
});
type Log = z.output<typeof logSchema>;

/** As `requireAdmin`; what was asked just now is in the log too. */
function openLogs(context: RequestContext) {
  const admin = requireAdmin(context);
  requestLogs().flush();
  return admin;
}

/** A log is no record: it has no collection. */
function toLog(record: unknown): Log {
  const { id, created, updated, level, message, data } = record as Log;
  return { id, created, updated, level, message, data };
}

/** What was asked of the API. */
export const logRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/logs',
    summary: 'What was asked of the API',
    query: LIST_QUERY,
    guard: openLogs,
    answer: pageOf(logSchema),
    picks: true,
    handle({ context, caller }) {
      const page = listRecords(logs, caller, listQueryOf(context));
      return { ...page, items: page.items.map(toLog) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/logs/stats',
    summary: 'Requests by the hour',
    query: { filter: LIST_QUERY.filter },
    guard: openLogs,
    answer: z.array(z.strictObject({ total: z.int(), date: z.string() })),
    picks: true,
    handle: ({ context, caller }) => countByHour(logs, caller, listQueryOf(context).filter),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/logs/:id',
    summary: 'One request',
    guard: openLogs,
    answer: logSchema,
    picks: true,
    handle: ({ context, caller }) => toLog(viewRecord(logs, caller, context.params.id!)),
  }),
];
