import { apiKernel } from '@/lib/api/kernel';
import { issueToken } from '@/lib/auth/tokens';
import { serveFetch } from '@/lib/http/fetch-door';
import type { AnyRow } from '@/lib/records/collection';
import { localHeader } from './local-header';
import { users } from '@/lib/accounts/collection';
import { StoreReader } from '@/lib/records/transaction';
import { expectDescribed } from './described';

export const kernel = apiKernel();

export interface Answer {
  status: number;
  json: AnyRow;
  text: string;
}

/** The header that signs a user in; none for guests. */
export function authorizationOf(userId: string | undefined): Record<string, string> {
  const user = userId ? new StoreReader().get(users, userId) : undefined;
  return user ? { authorization: issueToken(user, 'auth', users.id) } : {};
}

/** A request through the kernel as the server would serve it. */
export function send(path: string, init: RequestInit & { as?: { id: string } } = {}): Promise<Response> {
  const headers = {
    ...localHeader,
    ...authorizationOf(init.as?.id),
    ...(init.headers as Record<string, string> | undefined),
  };
  return serveFetch(kernel, new Request(`http://berth.test${path}`, { ...init, headers }));
}

/** A JSON call and its answer, which is as the API describes it. */
export async function call(
  method: string,
  path: string,
  { as, token, body }: { as?: { id: string }; token?: string; body?: unknown } = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await send(path, {
    method,
    as,
    headers: { ...(token && { authorization: token }), ...(!isForm && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const answer = { status: response.status, text, json: text === '' ? {} : (JSON.parse(text) as AnyRow) };
  expectDescribed(method, path, answer);
  return answer;
}
