import 'server-only';
import { accountById, type Account } from '@/lib/auth/accounts';
import { lacksSecondFactor } from '@/lib/auth/required-factor';
import { findHeld } from '@/lib/records/held';
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
 * What lets the account open the address: being an admin, having made the workspace, or a log-in permission of theirs or of a
 * group that they are in. Undefined where nothing does. A permission or a membership that is taken back and given again is another.
 */
export function groundsOf(account: Account, { key, claims }: KnownAddress): string | undefined {
  if (account.isAdmin) return 'admin';
  const grounds = claims.map(({ workspace, owner }) => {
    if (owner === account.id) return `owner ${workspace}`;
    const [held] = findHeld(workspaceLoginPermissions, {
      userId: account.id,
      match: { workspace, url: key },
      limit: 1,
    });
    return held && `${held.row.id}${held.membership}`;
  });
  return grounds.every((each) => each !== undefined) ? grounds.join(' ') : undefined;
}
