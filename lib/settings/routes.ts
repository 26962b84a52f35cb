import 'server-only';
import { requestActor } from '@/lib/auth/actor';
import { checkSso, discoverSso } from './check-sso';
import { sendTestMail } from './test-mail';
import { AppError } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { Handler, KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { hasFullAccess } from '@/lib/policies/actor';

/** For people with isAdmin, who hold an ordinary token. Throws AppError `unauthenticated` or `forbidden`. */
function adminsOnly(handle: (context: RequestContext) => Promise<KernelResponse>): Handler {
  return (context) => {
    const actor = requestActor(context);
    if (actor.kind === 'guest') throw new AppError('unauthenticated', 'Log in first.');
    if (!hasFullAccess(actor)) throw new AppError('forbidden', 'You are not allowed to perform this request.');
    return handle(context);
  };
}

/** What the settings page tries out; what it saves goes over the record API. */
export const consoleSettingsRoutes: Route[] = [
  {
    method: 'POST',
    path: '/api/console/test-mail',
    handle: adminsOnly(async (context) => {
      const { email } = await readSmallBody(context);
      await sendTestMail({ email, template: 'verification' });
      return { status: 204 };
    }),
  },
  {
    method: 'POST',
    path: '/api/console/discover-sso',
    handle: adminsOnly(async (context) => ({ status: 200, json: await discoverSso(await readSmallBody(context)) })),
  },
  {
    method: 'POST',
    path: '/api/console/check-sso',
    handle: adminsOnly(async (context) => ({
      status: 200,
      json: { checks: await checkSso(await readSmallBody(context)) },
    })),
  },
];
