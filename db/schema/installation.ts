import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Facts of the installation itself, by name. */
export const installationTable = sqliteTable('installation', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

/** What a host's engine holds under the host's labels and the console does not know. */
export const unknownObjectsTable = sqliteTable(
  'unknown_objects',
  {
    host_id: text('host_id').notNull(),
    kind: text('kind').notNull(),
    object_id: text('object_id').notNull(),
    /** What the agent says of it, JSON. */
    seen: text('seen').notNull(),
    /** Wire date. */
    since: text('since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.host_id, table.kind, table.object_id] })],
);
