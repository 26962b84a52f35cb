import 'server-only';
import { users } from '@/lib/collections/users';
import { finishSetup, isSetupNeeded } from '@/lib/commands/finish-setup';
import { AppError } from '@/lib/errors';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { authAnswer } from './auth-routes';
import { readRecordBody } from './record-body';

function readState(): KernelResponse {
  if (!isSetupNeeded()) throw new AppError('forbidden', 'The setup is done already.');
  return { status: 200, json: { needed: true } };
}

async function finish(context: RequestContext): Promise<KernelResponse> {
  if (!isSetupNeeded()) throw new AppError('forbidden', 'The setup is done already.');
  const account = await finishSetup(await readRecordBody(context, users));
  return authAnswer(account, context.query);
}

/** The first person's account. Both calls close for good once there is one. */
export const setupRoutes: Route[] = [
  { method: 'GET', path: '/api/setup', handle: readState },
  { method: 'POST', path: '/api/setup', handle: finish },
];
