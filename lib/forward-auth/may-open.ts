import 'server-only';
import { accountById, type Account } from '@/lib/auth/accounts';
import { lacksSecondFactor } from '@/lib/auth/required-factor';
import { StoreReader } from '@/lib/records/transaction';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import type { KnownAddress } from './address-index';

/** Whether the address asks the console who comes, in every workspace that has it. */
export function asksConsole({ claims }: KnownAddress): boolean {
  return claims.every(({ isInternal }) => isInternal);
}

/** The account, as long as it may be used: not while it is disabled or lacks a second factor that it must have. */
export function usableAccount(id: string): Account | undefined {
  const account = accountById(id);
  return account && !lacksSecondFactor(account) ? account : undefined;
}

/**
 * What lets the account open the address: being an admin, having made the workspace, or a log-in permission. Undefined
 * where nothing does. A permission that is taken back and given again is another.
 */
export function groundsOf(account: Account, { key, claims }: KnownAddress): string | undefined {
  if (account.isAdmin) return 'admin';
  const reader = new StoreReader();
  const grounds = claims.map(({ workspace, owner }) => {
    if (owner === account.id) return `owner ${workspace}`;
    return reader.find(workspaceLoginPermissions, { user: account.id, workspace, url: key }, { limit: 1 })[0]?.id;
  });
  return grounds.every((each) => each !== undefined) ? grounds.join(' ') : undefined;
}
