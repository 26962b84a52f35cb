import 'server-only';
import { createAppleClientSecret } from './apple-client-secret';
import { changeSettings, readSettings } from './change-settings';
import { sendTestMail } from './test-mail';
import { AppError } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import { adminRoute, answerJson } from '@/lib/auth/admin-guard';

const SETTINGS_BYTES = 1024 * 1024;

/** The installation's settings as one object. */
export const settingsRoutes = [
  adminRoute('GET', '/api/settings', (context) => answerJson(context, readSettings())),
  adminRoute('PATCH', '/api/settings', async (context, admin) =>
    answerJson(context, await changeSettings(await readSmallBody(context, SETTINGS_BYTES), admin)),
  ),
  adminRoute('POST', '/api/settings/test/email', async (context) => {
    await sendTestMail(await readSmallBody(context));
    return { status: 204 };
  }),
  adminRoute('POST', '/api/settings/apple/generate-client-secret', async (context) => {
    const secret = await createAppleClientSecret(await readSmallBody(context));
    return answerJson(context, { secret });
  }),
  adminRoute('POST', '/api/settings/test/s3', () => {
    throw new AppError('invalid', 'Failed to test the S3 filesystem. Berth keeps its files in its data folder.');
  }),
];
