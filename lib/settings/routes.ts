import 'server-only';
import { z } from 'zod';
import { requireFullAccess } from '@/lib/auth/admin-guard';
import type { Route } from '@/lib/http/context';
import { emailShape } from '@/lib/http/form-body';
import { defineRoute } from '@/lib/http/route';
import { checkSso, discoverSso } from './check-sso';
import { ssoSettingSchema } from './sso-setting';
import { sendTestMail } from './test-mail';

const addressesSchema = z.strictObject({
  authUrl: z.string(),
  tokenUrl: z.string(),
  userInfoUrl: z.string(),
  pkce: z.boolean().optional().describe('Left out where the provider says nothing of it'),
});

const checkSchema = z.strictObject({
  part: z.enum(['authorization', 'token', 'userInfo', 'clock']),
  state: z.enum(['ok', 'warn', 'bad']),
  code: z.string().describe('What was found'),
  detail: z.string(),
});

/** What the settings page tries out; what it saves goes over the record API. */
export const consoleSettingsRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/console/test-mail',
    summary: 'Sends a mail, for admins',
    guard: requireFullAccess,
    bodyShape: z.object({ email: emailShape }),
    example: { email: 'ada@example.com' },
    handle: ({ body: { email } }) => sendTestMail({ email, template: 'verification' }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/console/discover-sso',
    summary: 'The addresses of a log-in provider',
    guard: requireFullAccess,
    bodyShape: z.object({ issuer: z.url() }),
    answer: addressesSchema,
    example: { issuer: 'https://id.example.com' },
    handle: ({ body }) => discoverSso(body),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/console/check-sso',
    summary: 'Tries a log-in provider',
    guard: requireFullAccess,
    bodyShape: ssoSettingSchema,
    answer: z.strictObject({ checks: z.array(checkSchema) }),
    example: {
      clientId: 'berth',
      clientSecret: 'a secret of the provider',
      authUrl: 'https://id.example.com/authorize',
      tokenUrl: 'https://id.example.com/token',
      userInfoUrl: 'https://id.example.com/me',
    },
    handle: async ({ body }) => ({ checks: await checkSso(body) }),
  }),
];
