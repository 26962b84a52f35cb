import 'server-only';
import type { Route } from '@/lib/http/context';
import { describeApi } from './openapi';

let described: string | undefined;

/** The description of the API, open to anyone. */
export const openapiRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/openapi.json',
    handle() {
      described ??= JSON.stringify(describeApi());
      return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: described };
    },
  },
];
