import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { jsonColumn, recordColumns, textColumn } from './columns';

/** Who did what, when and from where. Rows stay when what they name is gone, so nothing here refers by key. */
export const auditTable = sqliteTable(
  'audit',
  {
    ...recordColumns(),
    /** The user's id; empty where nobody was signed in or the console itself acted. */
    user: textColumn('user'),
    userName: textColumn('user_name'),
    /** Noun and verb: `session.start`, `workspace.deploy`, `settings.update`. */
    action: textColumn('action'),
    outcome: text('outcome', { enum: ['success', 'failure'] })
      .notNull()
      .default('success'),
    /** What it was done to: a collection, an id, and how it was called then. */
    collection: textColumn('collection'),
    record: textColumn('record'),
    recordName: textColumn('record_name'),
    /** Where the call came from. */
    address: textColumn('address'),
    userAgent: textColumn('user_agent'),
    /** How the caller was known: password, passkey, provider, session, token, apiToken, admin, console. */
    via: textColumn('via'),
    details: jsonColumn<Record<string, unknown>>('details'),
  },
  (table) => [
    index('audit_created').on(table.created),
    index('audit_user').on(table.user, table.created),
    index('audit_record').on(table.record, table.created),
  ],
);
