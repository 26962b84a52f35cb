import 'server-only';
import { accountById, type Account } from '@/lib/auth/accounts';
import { lacksSecondFactor } from '@/lib/auth/required-factor';
import { StoreReader } from '@/lib/records/transaction';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import type { KnownAddress, ServedPort } from './address-index';

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
export function groundsOf(account: Account, { key, claims, served }: KnownAddress): string | undefined {
  if (account.isAdmin) return 'admin';
  const reader = new StoreReader();
  if (served) return groundsOfServed(account, { served, owner: claims[0]?.owner, reader });
  const grounds = claims.map(({ workspace, owner }) => {
    if (owner === account.id) return `owner ${workspace}`;
    return reader.find(workspaceLoginPermissions, { user: account.id, workspace, url: key }, { limit: 1 })[0]?.id;
  });
  return grounds.every((each) => each !== undefined) ? grounds.join(' ') : undefined;
}

/** Whoever may enter a workspace may open its ports, unless its owner keeps one to themselves. */
function groundsOfServed(
  { id: user }: Account,
  { served, owner, reader }: { served: ServedPort; owner: string | undefined; reader: StoreReader },
): string | undefined {
  const { workspace, level, urls } = served;
  if (owner === user) return `owner ${workspace}`;
  if (level === 'owner') return undefined;
  const [grant] = reader.find(workspacePermissions, { user, workspace, attach: true }, { limit: 1 });
  if (grant) return `enter ${grant.id}`;
  const logins = urls.length === 0 ? [] : reader.find(workspaceLoginPermissions, { user, workspace });
  const login = logins.find(({ url }) => urls.includes(url));
  if (login) return login.id;
  return level === 'permitted' ? undefined : level;
}
