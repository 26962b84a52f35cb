import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { KernelResponse, RequestContext } from './context';
import { toErrorResponse } from './error-response';
import type { Router } from './router';

/** Headers of every answer under /api. */
const SECURITY_HEADERS: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'x-xss-protection': '1; mode=block',
};

const ALLOWED_METHODS = 'GET,HEAD,PUT,PATCH,POST,DELETE';

export interface Kernel {
  /** Answers every request under /api; never throws. */
  handle(context: RequestContext): Promise<KernelResponse>;
}

/** A request that was answered, for whoever keeps a log. */
export interface Finished {
  context: RequestContext;
  status: number;
  /** What the handler threw, if it did. */
  error: unknown;
  /** By `performance.now()`. */
  startedMs: number;
}

/** What a route's context has before its path parameters are known. */
type Unrouted = RequestContext & { params: Record<string, string> };

/** Puts the routes behind one door: matching, errors as JSON, security and CORS headers. `onFinished` must not throw. */
export function createKernel(router: Router, onFinished?: (finished: Finished) => void): Kernel {
  return {
    async handle(context) {
      const startedMs = performance.now();
      const { response, error } = await answer(router, context as Unrouted);
      onFinished?.({ context, status: response.status, error, startedMs });
      const headers = { ...SECURITY_HEADERS, ...response.headers };
      if (context.header('origin') && !isOwn(router, context)) headers['access-control-allow-origin'] = '*';
      for (const name in response.headers) if (response.headers[name] === '') delete headers[name];
      return { ...response, headers };
    },
  };
}

/** Whether the call is for our own pages alone. */
function isOwn(router: Router, context: RequestContext): boolean {
  const asked = context.method === 'OPTIONS' ? context.header('access-control-request-method') : context.method;
  return router.match(asked, context.path)?.isOwn ?? false;
}

async function answer(router: Router, context: Unrouted): Promise<{ response: KernelResponse; error?: unknown }> {
  const isPreflight = context.method === 'OPTIONS' && context.header('access-control-request-method') !== '';
  if (isPreflight) return { response: isOwn(router, context) ? { status: 204 } : preflight(context) };
  try {
    const match = router.match(context.method, context.path);
    if (!match) throw new AppError('not_found', context.path.startsWith('/api/') ? 'Not Found.' : NOT_FOUND_MESSAGE);
    context.params = match.params;
    return { response: await match.handle(context) };
  } catch (error) {
    return { response: toErrorResponse(error, context), error };
  }
}

function preflight(context: RequestContext): KernelResponse {
  return {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-allow-headers': context.header('access-control-request-headers'),
      'access-control-max-age': '86400',
      vary: 'Access-Control-Request-Headers',
    },
  };
}
