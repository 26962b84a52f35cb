import 'server-only';
import { z } from 'zod';
import { apiTokensTable } from '@/db/schema/account-security';
import { apiTokenHash, newApiToken } from '@/lib/auth/api-tokens';
import { lastUses } from '@/lib/auth/last-used';
import { nowMs, toWireDate } from '@/lib/clock';
import { tellCredentialEnds } from '@/lib/auth/credential-ends';
import { limits } from '@/lib/vocabulary/limits';
import { AppError, fieldError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RowOf } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';

const DAY_MS = 86_400_000;
const HINT_CHARS = 4;

/** A table of its own, not a collection: nobody reads or writes it over the record API. */
const apiTokens = { name: 'api_tokens', table: apiTokensTable };

export const newApiTokenSchema = z.strictObject({
  name: z.string().trim().min(1, 'Cannot be blank.').max(limits.nameLength, tooLong(limits.nameLength)),
  scope: z.enum(['read', 'full'], 'Must be "read" or "full".'),
  expiresInDays: z
    .int('Must be a whole number of days, or null.')
    .min(1, `Must be from 1 to ${limits.apiTokenDays} days, or null.`)
    .max(limits.apiTokenDays, `Must be from 1 to ${limits.apiTokenDays} days, or null.`)
    .nullable(),
});

function tooLong(max: number): string {
  return `Must be less than ${max} character(s).`;
}

/** An API token as its owner sees it. */
export const apiTokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope: z.enum(['read', 'full']),
  hint: z.string().describe('Its end'),
  created: z.string(),
  expires: z.string().describe('Empty for one that never ends'),
  lastUsed: z.string(),
  lastAddress: z.string(),
});
export type ApiTokenEntry = z.output<typeof apiTokenSchema>;

function toEntry(row: RowOf<typeof apiTokensTable>): ApiTokenEntry {
  const { id, name, scope, hint, created, expires, lastUsed, lastAddress } = row;
  return { id, name, scope, hint, created, expires, lastUsed, lastAddress };
}

/** The API tokens of an account, oldest first; expired ones too. */
export function listApiTokens(userId: string): ApiTokenEntry[] {
  lastUses().flush();
  return new StoreReader().find(apiTokens, { userId }, { orderBy: 'created' }).map(toEntry);
}

/** Makes an API token; it is told this once. Throws AppError `invalid` when the name is taken or there are too many. */
export async function createApiToken(
  userId: string,
  { name, scope, expiresInDays }: z.infer<typeof newApiTokenSchema>,
): Promise<{ token: string; record: ApiTokenEntry }> {
  const token = newApiToken();
  const expires = expiresInDays === null ? '' : toWireDate(nowMs() + expiresInDays * DAY_MS);
  const row = await write((tx) => {
    const held = tx.find(apiTokens, { userId });
    if (held.some((other) => other.name === name)) {
      throw fieldError('name', 'validation_not_unique', 'You have a token of that name already.');
    }
    if (held.length >= limits.apiTokensPerAccount) {
      throw new AppError('invalid', `You can have ${limits.apiTokensPerAccount} API tokens. Revoke one first.`);
    }
    const [secretHash, hint] = [apiTokenHash(token), token.slice(-HINT_CHARS)];
    return tx.insert(apiTokens, { userId, name, scope, expires, secretHash, hint });
  });
  return { token, record: toEntry(row) };
}

/** Ends one of the account's API tokens and what it holds open. Throws AppError `not_found` where there is none. */
export async function revokeApiToken(userId: string, id: string): Promise<void> {
  await write((tx) => {
    if (tx.get(apiTokens, id)?.userId !== userId) throw new AppError('not_found', NOT_FOUND_MESSAGE);
    tx.remove(apiTokens, id);
    tx.afterCommit.push(() => tellCredentialEnds([id]));
  });
}
