import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { jsonColumn, numberColumn, textColumn } from './columns';

/** What was asked of the API: written after the answer, kept for some days. */
export const logsTable = sqliteTable(
  'logs',
  {
    rowid: integer('rowid').primaryKey(),
    id: text('id').notNull(),
    created: textColumn('created'),
    updated: textColumn('updated'),
    /** -4 debug, 0 info, 4 warn, 8 error */
    level: numberColumn('level'),
    message: textColumn('message'),
    data: jsonColumn<Record<string, unknown>>('data'),
  },
  (table) => [uniqueIndex('logs_id_unique').on(table.id), index('logs_created').on(table.created)],
);
