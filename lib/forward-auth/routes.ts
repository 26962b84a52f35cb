import 'server-only';
import { z } from 'zod';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { FORWARD_AUTH_PATH } from '@/lib/settings/forward-auth';
import { answerProxy } from './answer-proxy';
import { verify } from './verify';

const MAX = 10_000;

export const forwardAuthRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: FORWARD_AUTH_PATH,
    summary: 'Tells a proxy whether a request to an address of a workspace may pass',
    isOwn: true,
    status: 200,
    handle: ({ context }) => answerProxy(context),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/verify',
    summary: 'Lets the token’s person into an address of a workspace',
    isOwn: true,
    query: { state: 'Instead of the body’s', csrf_token: 'Instead of the body’s' },
    body: z.strictObject({
      authToken: z.string().max(MAX),
      state: z.string().max(MAX).default('').describe('As the page got it'),
      csrf_token: z.string().max(MAX).default('').describe('As the page got it'),
    }),
    answer: z.strictObject({
      status: z.literal('approved'),
      address: z.string().describe('Where the browser goes now'),
    }),
    example: { authToken: 'a token of the record API', state: 'a signed text', csrf_token: 'a random text' },
    handle({ context, body: { authToken, state, csrf_token: csrfToken } }) {
      const sent = (value: string, name: string): string => value || (context.query.get(name) ?? '');
      const asked = { authToken, state: sent(state, 'state'), csrfToken: sent(csrfToken, 'csrf_token') };
      return { status: 'approved' as const, address: verify(context, asked) };
    },
  }),
];
