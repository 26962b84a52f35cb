import 'server-only';
import { accountById } from '@/lib/auth/accounts';
import { accountOfCookies } from '@/lib/auth/sessions';
import type { RequestContext } from '@/lib/http/context';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import { originOf } from './call-origin';
import { actorOf, onAccount } from './password-sign-in';

/** Tells the audit log of a session that begins. */
export async function auditSessionStart(actor: Actor): Promise<void> {
  const account = accountById(actorUserId(actor));
  if (!account) return;
  await recordAuditAlone({ action: 'session.start', actor, on: onAccount(account) });
}

/** Tells the audit log of the session that is about to end, if there is one. */
export async function auditSessionEnd(context: RequestContext): Promise<void> {
  const account = await accountOfCookies(context.header('cookie'));
  if (!account) return;
  const from = originOf(context, 'session');
  await recordAuditAlone({ action: 'session.end', actor: actorOf(account), from, on: onAccount(account) });
}
