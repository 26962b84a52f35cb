import 'server-only';
import { knownActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import { nowMs } from '@/lib/clock';
import type { RequestContext } from '@/lib/http/context';
import type { Finished } from '@/lib/http/kernel';
import { observeRequest } from '@/lib/metrics/request-times';
import { requestLogs } from '@/lib/stores/request-logs';

/** Not logged: what asks all the time, the log's own calls, proxies, and the hosts' agents. */
const SILENT = /^\/api\/(?:health|metrics|realtime|logs|agent|forward-auth)(?:\/|$)/;
const SECRET_PARAMETERS = /([?&](?:token|code|state|password)=)[^&]*/g;

const AUTH = { guest: 'guest', user: 'authRecord', admin: 'admin', system: 'guest' } as const;

/** Counts a finished request, and keeps it for the log; it is written later. */
export function logRequest({ context, status, error, startedMs }: Finished): void {
  observeRequest(context.method, status, (performance.now() - startedMs) / 1000);
  if (SILENT.test(context.path)) return;
  const { method, path, rawQuery } = context;
  const url = rawQuery === '' ? path.slice(0, 2000) : withoutSecrets(`${path}?${rawQuery}`);
  const failed = status >= 400;
  requestLogs().add({
    atMs: nowMs(),
    level: failed ? 8 : 0,
    message: `${method} ${url}`,
    data: {
      type: 'request',
      url,
      method,
      status,
      auth: AUTH[knownActor(context).kind],
      referer: context.header('referer').slice(0, 500),
      userAgent: context.header('user-agent').slice(0, 500),
      execTime: Math.round((performance.now() - startedMs) * 1000) / 1000,
      userIp: clientAddress(context),
      remoteIp: context.address,
      ...(failed && causeOf(error)),
    },
  });
}

function withoutSecrets(url: string): string {
  return url.slice(0, 2000).replace(SECRET_PARAMETERS, '$1***');
}

function causeOf(error: unknown): { error: string; details: string } {
  const cause = error instanceof AppError ? error.cause : error;
  return { error: textOf(error), details: cause === undefined ? '' : textOf(cause) };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1000) : '';
}

/** What proxies say of the caller, believed in the log only. */
function clientAddress(context: RequestContext): string {
  const named = ['cf-connecting-ip', 'fly-client-ip', 'x-real-ip'].map((name) => context.header(name)).find(Boolean);
  const forwarded = context.header('x-forwarded-for').split(',')[0]!.trim();
  return (named ?? (forwarded || context.address)).slice(0, 100);
}
