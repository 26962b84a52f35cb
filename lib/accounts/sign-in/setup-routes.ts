import 'server-only';
import { users } from '../collection';
import { finishSetup, requireSetup } from './finish-setup';
import { rateLimits } from '@/lib/vocabulary/limits';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { recordAuditAlone } from '@/lib/records/audit';
import { originOf } from '@/lib/auth/call-origin';
import { limitCalls, turnsOfAddress } from '@/lib/auth/limited';
import { readRecordBody } from '@/lib/http/record-body';
import { authAnswer } from '../auth-answer';
import { actorOf, onAccount } from '@/lib/auth/accounts';

function readState(): KernelResponse {
  requireSetup();
  return { status: 200, json: { needed: true } };
}

async function finish(context: RequestContext): Promise<KernelResponse> {
  requireSetup();
  limitCalls(turnsOfAddress(context, rateLimits.setupByAddress));
  const account = await finishSetup(await readRecordBody(context, users));
  const from = originOf(context, 'password');
  await recordAuditAlone({ action: 'setup.finish', actor: actorOf(account), from, on: onAccount(account) });
  return authAnswer(account, context.query);
}

/** The first person's account. Both calls close for good once there is one, and until the next start after an hour. */
export const setupRoutes: Route[] = [
  { method: 'GET', path: '/api/setup', handle: readState },
  { method: 'POST', path: '/api/setup', handle: finish },
];
