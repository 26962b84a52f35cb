import { blob, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { boolColumn, jsonColumn, recordColumns, textColumn } from './columns';
import { usersTable } from './users';

const ownerColumn = () =>
  text('user_id')
    .notNull()
    .references(() => usersTable.id, { onDelete: 'cascade' });

/** Tokens for scripts. Only the SHA-256 of the secret is kept; `hint` is its end, so that its owner knows it again. */
export const apiTokensTable = sqliteTable(
  'api_tokens',
  {
    ...recordColumns(),
    userId: ownerColumn(),
    name: textColumn('name'),
    secretHash: text('secret_hash').notNull(),
    hint: textColumn('hint'),
    scope: text('scope', { enum: ['read', 'full'] }).notNull(),
    /** Wire date; empty for one that never ends. */
    expires: textColumn('expires'),
    lastUsed: textColumn('last_used'),
    lastAddress: textColumn('last_address'),
  },
  (table) => [
    uniqueIndex('api_tokens_secret_unique').on(table.secretHash),
    uniqueIndex('api_tokens_user_name_unique').on(table.userId, table.name),
  ],
);

/**
 * Which session a sign-in became: its tokens are over with that session. Under an account's id, without a session: until
 * when the tokens would have lasted that were ended all at once.
 */
export const signInSessionsTable = sqliteTable(
  'sign_in_sessions',
  {
    signInId: text('sign_in_id').primaryKey(),
    sessionId: text('session_id').notNull(),
    /** Seconds since the epoch. */
    expiresAt: integer('expires_at').notNull(),
  },
  (table) => [index('sign_in_sessions_expires').on(table.expiresAt)],
);

/** The one authenticator app of an account. It counts once `confirmed` is set. */
export const totpSecretsTable = sqliteTable('totp_secrets', {
  userId: ownerColumn().primaryKey(),
  /** Encrypted. */
  secret: text('secret').notNull(),
  created: textColumn('created'),
  confirmed: textColumn('confirmed'),
  /** The last time step that was used, so that a code works once. */
  lastStep: integer('last_step').notNull().default(0),
});

/** One-time codes for whoever lost the other factor. SHA-256 of each; `used` is a wire date. */
export const recoveryCodesTable = sqliteTable(
  'recovery_codes',
  {
    codeHash: text('code_hash').notNull(),
    userId: ownerColumn(),
    used: textColumn('used'),
  },
  (table) => [uniqueIndex('recovery_codes_unique').on(table.userId, table.codeHash)],
);

/** WebAuthn credentials. */
export const passkeysTable = sqliteTable(
  'passkeys',
  {
    ...recordColumns(),
    userId: ownerColumn(),
    name: textColumn('name'),
    /** base64url */
    credentialId: text('credential_id').notNull(),
    /** COSE key */
    publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
    counter: integer('counter').notNull().default(0),
    transports: jsonColumn<string[]>('transports'),
    isBackedUp: boolColumn('is_backed_up'),
    lastUsed: textColumn('last_used'),
  },
  (table) => [
    uniqueIndex('passkeys_credential_unique').on(table.credentialId),
    index('passkeys_user').on(table.userId),
  ],
);

/** How often something limited was tried in its window. Times in milliseconds since the epoch. */
export const rateLimitsTable = sqliteTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    windowStart: integer('window_start').notNull(),
    windowEnd: integer('window_end').notNull(),
  },
  (table) => [index('rate_limits_end').on(table.windowEnd)],
);
