import 'server-only';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { describeApi } from './openapi';

/** The call that describes all others, and itself; open to anyone. */
export function openapiRoute(others: readonly Route[]): Route {
  let described: string | undefined;
  const route: Route = defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    mediaType: 'application/json',
    handle() {
      described ??= JSON.stringify(describeApi([...others, route]));
      return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: described };
    },
  });
  return route;
}
