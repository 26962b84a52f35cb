import 'server-only';
import { type Account, actorOf, onAccount } from '@/lib/auth/accounts';
import { limits } from '@/lib/vocabulary/limits';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { recordAuditAlone } from '@/lib/records/audit';
import { originOf } from '@/lib/auth/call-origin';

interface Attempt<T> {
  /** As the caller names it. */
  provider: unknown;
  signIn: () => Promise<T>;
}

/** Signs in with a provider and tells the audit log how that went. */
export async function auditProviderSignIn<T extends { account: Account; meta: { isNew: boolean } }>(
  context: RequestContext,
  { provider, signIn }: Attempt<T>,
): Promise<T> {
  const from = originOf(context, 'provider');
  const named = typeof provider === 'string' ? provider.slice(0, limits.auditIdentityLength) : '';
  try {
    const result = await signIn();
    const { account, meta } = result;
    const details = { provider: named, isNew: meta.isNew };
    await recordAuditAlone({
      action: 'signIn.provider',
      actor: actorOf(account),
      from,
      on: onAccount(account),
      details,
    });
    return result;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') {
      const details = { provider: named };
      await recordAuditAlone({
        action: 'signIn.provider',
        outcome: 'failure',
        actor: { kind: 'guest' },
        from,
        details,
      });
    }
    throw error;
  }
}
