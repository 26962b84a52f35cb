import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { boolColumn, recordColumns, textColumn } from './columns';
import { sql } from 'drizzle-orm';

export const usersTable = sqliteTable(
  'users',
  {
    ...recordColumns(),
    username: textColumn('username'),
    email: textColumn('email'),
    emailVisibility: boolColumn('email_visibility'),
    verified: boolColumn('verified'),
    name: textColumn('name'),
    avatar: textColumn('avatar'),
    isAdmin: boolColumn('is_admin'),
    language: textColumn('language'),
    /** A disabled account can not be signed in to, and its tokens and sessions are over. */
    enabled: integer('enabled', { mode: 'boolean' }).notNull().default(true),
    /** Wire date since when signing in takes a second factor; empty where it does not. */
    secondFactorSince: textColumn('second_factor_since'),
    passwordHash: textColumn('password_hash'),
    /** Part of every token's signing key; renewing it ends all tokens of the account. */
    tokenKey: textColumn('token_key'),
  },
  (table) => [
    uniqueIndex('users_username_unique').on(sql`lower(${table.username})`),
    uniqueIndex('users_email_unique')
      .on(sql`lower(${table.email})`)
      .where(sql`${table.email} != ''`),
    uniqueIndex('users_token_key_unique').on(table.tokenKey),
    index('users_created').on(table.created),
  ],
);

/** Browser sessions, kept by lucia. `id` is the SHA-256 of the cookie's value. */
export const sessionsTable = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    /** Seconds since the epoch. */
    expiresAt: integer('expires_at').notNull(),
    created: textColumn('created'),
    address: textColumn('address'),
    userAgent: textColumn('user_agent'),
    /** Wire date, to the minute. */
    lastUsed: textColumn('last_used'),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expires').on(table.expiresAt)],
);

/** Accounts of sign-in providers that open an account here. */
export const externalAuthsTable = sqliteTable(
  'external_auths',
  {
    ...recordColumns(),
    recordId: text('record_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    provider: textColumn('provider'),
    providerId: textColumn('provider_id'),
  },
  (table) => [
    uniqueIndex('external_auths_record_provider_unique').on(table.recordId, table.provider),
    uniqueIndex('external_auths_provider_id_unique').on(table.provider, table.providerId),
  ],
);
