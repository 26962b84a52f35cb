import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';
import { requireFullAccess } from '@/lib/auth/admin-guard';
import { env } from '@/lib/env';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { collectMetrics } from './collect';
import { METRICS_TYPE, writeMetrics } from './text-format';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two texts are the same, in a time that tells nothing of where they differ or how long they are. */
function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digestOf(one), digestOf(other));
}

/** Whoever has the token of the environment, and admins. Throws AppError `unauthenticated` or `forbidden`. */
function requireReader(context: RequestContext): void {
  const { metricsToken } = env();
  const sent = context.header('authorization').replace(/^Bearer /, '');
  if (metricsToken !== undefined && isSameSecret(sent, metricsToken)) return;
  requireFullAccess(context);
}

/** What Prometheus scrapes. */
export const metricsRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/metrics',
    summary: 'Metrics as Prometheus reads them: for admins, and by the token BERTH_METRICS_TOKEN',
    guard: requireReader,
    mediaType: 'text/plain',
    async handle() {
      const body = writeMetrics(await collectMetrics());
      return { status: 200, headers: { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' }, body };
    },
  }),
];
