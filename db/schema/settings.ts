import { sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { jsonColumn, recordColumns, textColumn } from './columns';

/** One row a setting: a key and its JSON value. Secrets in values are encrypted. */
export const settingsTable = sqliteTable(
  'settings',
  { ...recordColumns(), key: textColumn('key'), value: jsonColumn<unknown>('value') },
  (table) => [uniqueIndex('settings_key_unique').on(table.key)],
);
