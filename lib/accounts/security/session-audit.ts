import 'server-only';
import { accountById, anyAccountById, actorOf, onAccount } from '@/lib/auth/accounts';
import { requestActor } from '@/lib/auth/actor';
import { sessionOfCookies } from '@/lib/auth/sessions';
import type { RequestContext } from '@/lib/http/context';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import { originOf } from '@/lib/auth/call-origin';

/** Tells the audit log of a session that begins. */
export async function auditSessionStart(actor: Actor): Promise<void> {
  const account = accountById(actorUserId(actor));
  if (!account) return;
  await recordAuditAlone({ action: 'session.start', actor, on: onAccount(account) });
}

/** Tells the audit log of the session that is about to end, if there is one. */
export async function auditSessionEnd(context: RequestContext): Promise<void> {
  const account = (await sessionOfCookies(context.header('cookie')))?.account;
  if (!account) return;
  const from = originOf(context, 'session');
  await recordAuditAlone({ action: 'session.end', actor: actorOf(account), from, on: onAccount(account) });
}

/** Tells the audit log of a session or an API token that someone made or ended by its id. */
export async function auditCredential(
  context: RequestContext,
  action: 'session.end' | 'apiToken.create' | 'apiToken.delete',
  { accountId, details }: { accountId: string; details: Record<string, unknown> },
): Promise<void> {
  const account = anyAccountById(accountId);
  await recordAuditAlone({ action, actor: requestActor(context), ...(account && { on: onAccount(account) }), details });
}
