import 'server-only';
import { accountById, type Account } from '@/lib/auth/accounts';
import { lacksSecondFactor } from '@/lib/auth/required-factor';
import { findHeld } from '@/lib/records/held';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { groundsOf, type Ground } from '@/lib/policies/evaluate';
import { admin, anyOf, owner } from '@/lib/policies/rules';
import { StoredFacts } from '@/lib/records/facts';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import type { Claim, KnownAddress, ServedPort } from './address-index';

/** Whether the address asks the console who comes, in every workspace that has it. */
export function asksConsole({ claims }: KnownAddress): boolean {
  return claims.every(({ isInternal }) => isInternal);
}

/** The account, as long as it may be used: not while it is disabled or lacks a second factor that it must have. */
export function usableAccount(id: string): Account | undefined {
  const account = accountById(id);
  return account && !lacksSecondFactor(account) ? account : undefined;
}

const ownRule = anyOf(admin, owner);

/**
 * What lets the account open an address of the workspace: being an admin, having made it, or, where it is none of these,
 * the log-in permissions that they hold there, by name or through a group.
 */
export function groundsAt(account: Account, key: string, at: Claim): Ground[] {
  const own = ownGrounds(account, at);
  if (own.length > 0) return own;
  return heldAt(account, key, at).map(({ row }) => ({ kind: 'grant', grant: row, flags: [] }));
}

function ownGrounds({ id, isAdmin }: Account, { owner: created_by }: Claim): Ground[] {
  return groundsOf(ownRule, { kind: 'user', id, isAdmin }, { created_by }, new StoredFacts());
}

function heldAt({ id: userId }: Account, url: string, { workspace }: Claim, limit?: number) {
  return findHeld(workspaceLoginPermissions, { userId, match: { workspace, url }, limit });
}

/**
 * What the account's access rests on, as a text; undefined where it may not open the address. A permission or a membership
 * that is taken back and given again is another.
 */
export function basisOf(account: Account, { key, claims, served }: KnownAddress): string | undefined {
  if (account.isAdmin) return 'admin';
  if (served) return basisOfServed(account, { served, claim: claims[0] });
  const basis = claims.map((claim) => {
    if (ownGrounds(account, claim).length > 0) return `owner ${claim.workspace}`;
    const [held] = heldAt(account, key, claim, 1);
    return held && `${held.row.id}${held.membership}`;
  });
  return basis.every((each) => each !== undefined) ? basis.join(' ') : undefined;
}

/** Whoever may enter a workspace may open its ports, unless its owner keeps one to themselves. */
function basisOfServed(
  account: Account,
  { served, claim }: { served: ServedPort; claim: Claim | undefined },
): string | undefined {
  const { workspace, level, urls } = served;
  if (claim && ownGrounds(account, claim).length > 0) return `owner ${workspace}`;
  if (level === 'owner') return undefined;
  const userId = account.id;
  const [enters] = findHeld(workspacePermissions, { userId, match: { workspace, attach: true }, limit: 1 });
  if (enters) return `enter ${enters.row.id}${enters.membership}`;
  const logIns = urls.length === 0 ? [] : findHeld(workspaceLoginPermissions, { userId, match: { workspace } });
  const logIn = logIns.find(({ row }) => urls.includes(row.url));
  if (logIn) return `${logIn.row.id}${logIn.membership}`;
  return level === 'permitted' ? undefined : level;
}
