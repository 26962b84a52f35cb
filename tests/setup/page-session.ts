import { expect } from 'vitest';
import { sendApi } from './api';
import { authorizationOf } from './call';

/** A browser that is signed in: its cookie, the token of its pages, and how the session is called. */
export interface PageSession {
  cookie: string;
  token: string;
  id: string;
}

/** Signs a browser in as pages do, with the token that a log-in gave. */
export async function signInPage(
  user: { id: string },
  headers: Record<string, string> = {},
  authorization = authorizationOf(user.id).authorization!,
): Promise<PageSession> {
  const response = await sendApi('POST', '/api/session', {
    headers: { 'sec-fetch-site': 'same-origin', authorization, ...headers },
  });
  expect(response.status).toBe(200);
  const { token } = (await response.json()) as { token: string };
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as { sid: string };
  return { cookie: response.headers.get('set-cookie')!.split(';')[0]!, token, id: sid };
}
