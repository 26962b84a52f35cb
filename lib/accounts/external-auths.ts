import 'server-only';
import { z } from 'zod';
import { externalAuthsTable } from '@/db/schema/users';
import { users } from './collection';
import { AppError } from '@/lib/errors';
import { StoreReader, write } from '@/lib/records/transaction';

/** Links between accounts here and at sign-in providers: a table of its own, not a collection. */
export const externalAuths = { name: 'external_auths', table: externalAuthsTable };

/** What an account has for a password hash while nobody has set it one: no password matches. */
export const NO_PASSWORD = '';

export const externalAuthSchema = z.strictObject({
  id: z.string(),
  created: z.string(),
  updated: z.string(),
  collectionId: z.string(),
  recordId: z.string(),
  provider: z.string(),
  providerId: z.string(),
});
type ExternalAuth = z.output<typeof externalAuthSchema>;

/** The links of an account, oldest first. */
export function listExternalAuths(accountId: string): ExternalAuth[] {
  const links = new StoreReader().find(externalAuths, { recordId: accountId }, { orderBy: 'created' });
  return links.map(({ id, created, updated, recordId, provider, providerId }) => ({
    id,
    created,
    updated,
    collectionId: users.id,
    recordId,
    provider,
    providerId,
  }));
}

/** Takes a link away. Throws AppError `not_found` where there is none, `invalid` where it is the last way into the account. */
export async function unlinkExternalAuth(accountId: string, provider: string): Promise<void> {
  await write((tx) => {
    const links = tx.find(externalAuths, { recordId: accountId });
    const link = links.find((each) => each.provider === provider);
    if (!link) throw new AppError('not_found', 'Missing external auth provider relation.');
    if (links.length === 1 && tx.get(users, accountId)?.passwordHash === NO_PASSWORD) {
      throw new AppError(
        'invalid',
        'This is the only way to log in to this account. Set a password first: ask for one with “Forgot password?” on the log-in page.',
      );
    }
    tx.remove(externalAuths, link.id);
  });
}
