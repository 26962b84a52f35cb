import 'server-only';
import { z } from 'zod';
import { anyAccountById } from '@/lib/auth/accounts';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { groundsOf, type Ground } from '@/lib/policies/evaluate';
import { grantTables } from '@/lib/policies/rules';
import { canFlagsOf, preload } from '@/lib/records/can';
import type { AnyRow } from '@/lib/records/collection';
import { StoredFacts } from '@/lib/records/facts';
import { findHeld } from '@/lib/records/held';
import { listRecords } from '@/lib/records/reader';
import { collectionNamed } from '@/lib/records/registry';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { workspaces } from '@/lib/workspaces/collection';
import { groundSchema, tellGrounds } from './told-grounds';

/** Records of a kind that an answer names; the others are counted. */
const MOST = 100;

const itemSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  url: z.string().describe('Of an address of a workspace; empty elsewhere'),
  acts: z.array(z.string()).describe('What they may do with it'),
  grounds: z.array(groundSchema).describe('Why they may see it, or open the address'),
});

export const reachSchema = z.strictObject({
  isAdmin: z.boolean().describe('Admins reach everything; here is what they would reach without that'),
  kinds: z.array(z.strictObject({ kind: z.string(), total: z.int(), items: z.array(itemSchema) })),
});
export type Reach = z.output<typeof reachSchema>;

interface Reached {
  kind: string;
  total: number;
  found: { id: string; name: string; url: string; acts: string[]; grounds: Ground[] }[];
}

/**
 * Everything that a person may reach, and through what: made, given, or held by a group. For admins, and for everyone of
 * themselves; others get AppError `not_found`.
 */
export function tellReach(actor: Actor, user: string): Reach {
  const account = anyAccountById(user);
  const isTold = hasFullAccess(actor) || user === actorUserId(actor);
  if (!account || !isTold) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  const kinds = Object.keys(grantTables).map((kind) => reachOf(kind, user));
  const reached = [...kinds, addressesOf(user)].filter(({ total }) => total > 0);
  const told = tellGrounds(reached.flatMap(({ found }) => found.map(({ grounds }) => grounds)));
  let next = 0;
  return {
    isAdmin: account.isAdmin,
    kinds: reached.map(({ kind, total, found }) => ({
      kind,
      total,
      items: found.map((item) => ({ ...item, grounds: told[next++]! })),
    })),
  };
}

function reachOf(kind: string, user: string): Reached {
  const collection = collectionNamed(kind)!;
  const subject: Actor = { kind: 'user', id: user, isAdmin: false };
  const page = listRecords(collection, subject, { perPage: MOST, sort: kind === 'domains' ? 'url' : 'name' });
  const rows = page.items as AnyRow[];
  const rule = collection.policy.can.view!;
  const facts = new StoredFacts();
  preload(facts, { rules: [rule], rows, actor: subject });
  const flags = canFlagsOf(collection, rows, subject);
  const found = rows.map((row, index) => ({
    id: String(row.id),
    name: String(row.name || row.url || ''),
    url: '',
    acts: Object.keys(flags[index]!).filter((act) => flags[index]![act]),
    grounds: groundsOf(rule, subject, row, facts),
  }));
  return { kind, total: page.totalItems, found };
}

/** The addresses that a log-in permission opens: those of one's own workspaces need none. */
function addressesOf(userId: string): Reached {
  const held = findHeld(workspaceLoginPermissions, { userId, match: {}, limit: MOST + 1 });
  const facts = new StoredFacts();
  facts.preloadRelated(workspaces.name, [...new Set(held.map(({ row }) => row.workspace))]);
  const found = held.slice(0, MOST).map(({ row }) => ({
    id: row.workspace,
    name: String(facts.related(workspaces.name, row.workspace)?.name ?? ''),
    url: row.url,
    acts: [],
    grounds: [{ kind: 'grant', grant: row, flags: [] } as Ground],
  }));
  return { kind: workspaceLoginPermissions.name, total: held.length, found };
}
