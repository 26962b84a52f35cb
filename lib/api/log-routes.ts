import 'server-only';
import { logs } from './logs';
import type { RequestContext } from '@/lib/http/context';
import { countByHour } from '@/lib/records/hourly';
import type { AnyRow } from '@/lib/records/collection';
import { listRecords, viewRecord } from '@/lib/records/reader';
import { requestLogs } from '@/lib/stores/request-logs';
import { adminRoute, answerJson, type AdminActor } from '@/lib/auth/admin-guard';
import { listQueryOf } from '@/lib/http/list-query';

/** A log is no record: it has no collection. */
function toLog(record: unknown): AnyRow {
  const { id, created, updated, level, message, data } = record as AnyRow;
  return { id, created, updated, level, message, data };
}

function handleList(context: RequestContext, admin: AdminActor) {
  requestLogs().flush();
  const page = listRecords(logs, admin, listQueryOf(context));
  return answerJson(context, { ...page, items: page.items.map(toLog) });
}

function handleStats(context: RequestContext, admin: AdminActor) {
  requestLogs().flush();
  return answerJson(context, countByHour(logs, admin, listQueryOf(context).filter));
}

function handleView(context: RequestContext, admin: AdminActor) {
  requestLogs().flush();
  return answerJson(context, toLog(viewRecord(logs, admin, context.params.id!)));
}

/** What was asked of the API. */
export const logRoutes = [
  adminRoute('GET', '/api/logs', handleList),
  adminRoute('GET', '/api/logs/stats', handleStats),
  adminRoute('GET', '/api/logs/:id', handleView),
];
