import 'server-only';
import { z } from 'zod';
import { requireAdmin } from '@/lib/auth/admin-guard';
import { AppError } from '@/lib/errors';
import type { Route } from '@/lib/http/context';
import { emailShape } from '@/lib/http/form-body';
import { defineRoute } from '@/lib/http/route';
import { apiSettingsSchema } from './api-settings';
import { createAppleClientSecret } from './apple-client-secret';
import { changeSettings, readSettings } from './change-settings';
import { sendTestMail } from './test-mail';

const SETTINGS_BYTES = 1024 * 1024;

const appleShape = z.object({
  clientId: z.string().min(1),
  teamId: z.string().length(10),
  keyId: z.string().length(10),
  privateKey: z.string().describe('A P-256 key in PKCS #8 form, as PEM'),
  duration: z.int().min(1).describe('Seconds'),
});

/** The installation's settings as one object. */
export const settingsRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/settings',
    summary: 'All settings, secrets masked',
    guard: requireAdmin,
    answer: apiSettingsSchema,
    picks: true,
    handle: readSettings,
  }),
  defineRoute({
    method: 'PATCH',
    path: '/api/settings',
    summary: 'Merges settings',
    guard: requireAdmin,
    bodyShape: z.record(z.string(), z.unknown()).describe('Settings by key'),
    limitBytes: SETTINGS_BYTES,
    answer: apiSettingsSchema,
    picks: true,
    example: { sso: { displayName: 'Example' } },
    handle: ({ body, caller }) => changeSettings(body, caller),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/settings/test/email',
    summary: 'Sends a mail',
    guard: requireAdmin,
    bodyShape: z.object({
      email: emailShape,
      template: z.enum(['verification', 'password-reset', 'email-change']),
    }),
    example: { email: 'ada@example.com', template: 'verification' },
    handle: ({ body }) => sendTestMail(body),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/settings/apple/generate-client-secret',
    summary: 'Signs a client secret for Apple',
    guard: requireAdmin,
    bodyShape: appleShape,
    answer: z.strictObject({ secret: z.string() }),
    picks: true,
    example: {
      clientId: 'com.example.berth',
      teamId: 'TEAM123456',
      keyId: 'KEY1234567',
      privateKey: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----',
      duration: 15_777_000,
    },
    handle: async ({ body }) => ({ secret: await createAppleClientSecret(body) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/settings/test/s3',
    summary: 'Always refused: files are kept in the data folder',
    guard: requireAdmin,
    status: 400,
    handle() {
      throw new AppError('invalid', 'Failed to test the S3 filesystem. Berth keeps its files in its data folder.');
    },
  }),
];
