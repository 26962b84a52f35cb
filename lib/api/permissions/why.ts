import 'server-only';
import { z } from 'zod';
import { anyAccountById, type Account } from '@/lib/auth/accounts';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { groundsAt } from '@/lib/forward-auth/may-open';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { groundsOf } from '@/lib/policies/evaluate';
import { grantTables } from '@/lib/policies/rules';
import { requireAct } from '@/lib/records/acts';
import { mayAct } from '@/lib/records/can';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { StoredFacts } from '@/lib/records/facts';
import { collectionNamed } from '@/lib/records/registry';
import { StoreReader } from '@/lib/records/transaction';
import { internalAddresses } from '@/lib/workspaces/internal-addresses';
import type { WorkspaceRow } from '@/lib/workspaces/collection';
import { workspaces } from '@/lib/workspaces/collection';
import { groundSchema, tellGrounds } from './told-grounds';

const answerSchema = z.strictObject({
  acts: z
    .array(z.strictObject({ act: z.string(), may: z.boolean(), grounds: z.array(groundSchema) }))
    .describe("The acts of the record's collection"),
  addresses: z
    .array(z.strictObject({ url: z.string(), may: z.boolean(), grounds: z.array(groundSchema) }))
    .describe('The addresses of a workspace at which the console asks who comes'),
  isWithoutAdmins: z
    .boolean()
    .describe('Whether being an admin is left out: that is for admins to know, and for whoever is one'),
});
export const whySchema = answerSchema;
export type Why = z.output<typeof answerSchema>;

interface Question {
  collection: string;
  record: string;
  user: string;
}

const REFUSED = 'What others may do here is for whoever shares it.';

/**
 * Why somebody may do what with a record: every ground of every act, from the rules that decide about it. For whoever may
 * see the record's permissions, and for everyone of themselves. Throws AppError `not_found` or `forbidden`.
 */
export function tellWhy(actor: Actor, { collection: name, record, user }: Question): Why {
  const collection = resourceNamed(name);
  const row = requireAct(actor, { collection, id: record, act: 'view' }) as AnyRow;
  const isSelf = user === actorUserId(actor);
  if (!isSelf && !mayAct(collection, { actor, act: 'share', row })) throw new AppError('forbidden', REFUSED);
  const account = anyAccountById(user);
  if (!account) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  const isWithoutAdmins = !isSelf && !hasFullAccess(actor);
  const subject = { ...account, isAdmin: account.isAdmin && !isWithoutAdmins };
  const acts = groundsOfActs(collection, row, subject);
  const addresses = collection.name === workspaces.name ? groundsOfAddresses(row as WorkspaceRow, subject) : [];
  const told = tellGrounds([...acts, ...addresses].map(({ grounds }) => grounds));
  const answers = told.map((grounds) => ({ may: grounds.length > 0, grounds }));
  return {
    acts: acts.map(({ act }, index) => ({ act, ...answers[index]! })),
    addresses: addresses.map(({ url }, index) => ({ url, ...answers[acts.length + index]! })),
    isWithoutAdmins,
  };
}

function resourceNamed(name: string): Collection<never, 'view' | 'share'> {
  const collection = Object.hasOwn(grantTables, name) ? collectionNamed(name) : undefined;
  if (!collection) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return collection as unknown as Collection<never, 'view' | 'share'>;
}

function groundsOfActs(collection: Pick<Collection, 'policy'>, row: AnyRow, { id, isAdmin }: Account) {
  const facts = new StoredFacts();
  return Object.entries(collection.policy.can).map(([act, rule]) => ({
    act,
    grounds: groundsOf(rule, { kind: 'user', id, isAdmin }, row, facts),
  }));
}

function groundsOfAddresses({ id, created_by, externalUrls }: WorkspaceRow, account: Account) {
  return [...internalAddresses(new StoreReader(), externalUrls)].map((url) => ({
    url,
    grounds: groundsAt(account, url, { workspace: id, owner: created_by }),
  }));
}
