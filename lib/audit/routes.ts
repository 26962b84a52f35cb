import 'server-only';
import { z } from 'zod';
import { streamActor } from '@/lib/auth/actor';
import { nowMs, toWireDate } from '@/lib/clock';
import { audit } from './collection';
import { toCsvLine } from './csv';
import { AppError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { hasFullAccess, wayOf, type Actor } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import type { AnyRow } from '@/lib/records/collection';
import { walkRecords } from '@/lib/records/walk';
import { originOf } from '@/lib/auth/call-origin';
import { LIST_QUERY, listQueryOf } from '@/lib/http/list-query';
import { createScope, scopedBody } from '@/lib/http/sse';

const PAGE_SIZE = 500;
const COLUMNS = ['id', 'created', ...audit.output];

const formatSchema = z.enum(['csv', 'json']).default('csv');

async function requireReader(context: RequestContext): Promise<Actor> {
  const actor = await streamActor(context);
  if (hasFullAccess(actor)) return actor;
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in admin.');
  throw new AppError('forbidden', 'Only admins can read the audit log.');
}

async function* csvOf(pages: Iterable<AnyRow[]>, signal: AbortSignal): AsyncGenerator<string> {
  yield toCsvLine(COLUMNS);
  for (const page of pages) {
    if (signal.aborted) return;
    yield page.map((row) => toCsvLine(COLUMNS.map((name) => cellOf(row[name])))).join('');
    await otherWork();
  }
}

async function* jsonOf(pages: Iterable<AnyRow[]>, signal: AbortSignal): AsyncGenerator<string> {
  let lead = '[\n';
  for (const page of pages) {
    if (signal.aborted) return;
    const rows = page.map((row) => JSON.stringify(Object.fromEntries(COLUMNS.map((name) => [name, row[name]]))));
    yield lead + rows.join(',\n');
    lead = ',\n';
    await otherWork();
  }
  yield lead === '[\n' ? '[]\n' : '\n]\n';
}

function cellOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

/** A client that takes everything at once must not keep other calls waiting. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The audit log as a file, whatever its length: rows are read as fast as they are taken. */
export const auditRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/audit/export',
    summary: 'The audit log as a file',
    query: { format: '`csv` or `json`', filter: LIST_QUERY.filter, sort: LIST_QUERY.sort },
    guard: requireReader,
    mediaType: ['text/csv', 'application/json'],
    async handle({ context, caller: actor }) {
      const format = formatSchema.parse(context.query.get('format') ?? undefined);
      const { filter, sort } = listQueryOf(context);
      const pages = walkRecords(audit, actor, { filter, sort: sort || '-created', pageSize: PAGE_SIZE });
      await recordAuditAlone({
        action: 'audit.export',
        actor,
        from: originOf(context, wayOf(actor)),
        details: { format, filter },
      });
      const scope = createScope(context.signal);
      const stamp = toWireDate(nowMs()).slice(0, 10);
      return {
        status: 200,
        headers: {
          'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
          'content-disposition': `attachment; filename="berth-audit-${stamp}.${format}"`,
          'cache-control': 'no-store, no-transform',
        },
        body: scopedBody(scope, format === 'csv' ? csvOf(pages, scope.signal) : jsonOf(pages, scope.signal)),
      };
    },
  }),
];
