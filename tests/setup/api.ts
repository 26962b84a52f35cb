import { apiKernel } from '@/lib/api/kernel';
import { serveFetch } from '@/lib/http/fetch-door';
import type { AnyRow } from '@/lib/records/collection';
import { authorizationOf } from './call';
import { expectDescribed } from './described';
import { localHeader } from './local-header';

export interface ApiCall {
  as?: { id: string };
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A request to all of the API, as the server answers it. Plain bodies are sent as JSON, texts as they are. */
export function sendApi(method: string, path: string, { as, body, headers, signal }: ApiCall = {}): Promise<Response> {
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof FormData);
  const type: Record<string, string> = body instanceof FormData ? {} : { 'content-type': 'application/json' };
  return serveFetch(
    apiKernel(),
    new Request(`http://berth.test${path}`, {
      method,
      signal,
      headers: { ...type, ...authorizationOf(as?.id), ...localHeader, ...headers },
      body: isJson ? JSON.stringify(body) : (body as string | FormData | undefined),
    }),
  );
}

/** The same, read to its end as JSON, which is as the API describes it. */
export async function api(method: string, path: string, call?: ApiCall): Promise<{ status: number; json: AnyRow }> {
  const response = await sendApi(method, path, call);
  const text = await response.text();
  const answer = { status: response.status, json: text === '' ? {} : (JSON.parse(text) as AnyRow) };
  expectDescribed(method, path, answer);
  return answer;
}
