import { integer, real, text } from 'drizzle-orm/sqlite-core';

/** Column kinds of record tables. Unset values are '', 0, false and null for JSON, as the record API answers them. */
export const textColumn = (name: string) => text(name).notNull().default('');
export const numberColumn = (name: string) => real(name).notNull().default(0);
export const boolColumn = (name: string) => integer(name, { mode: 'boolean' }).notNull().default(false);
export const jsonColumn = <T>(name: string) => text(name, { mode: 'json' }).$type<T>();
/** Several ids, values or names. */
export const listColumn = (name: string) => jsonColumn<string[]>(name).notNull().default([]);

/** Columns that every record table has. Dates are text, `YYYY-MM-DD HH:MM:SS.mmmZ`. */
export const recordColumns = () => ({
  id: text('id').primaryKey(),
  created: textColumn('created'),
  updated: textColumn('updated'),
});

/** Columns of every permission: the person or the group that holds it, the other one empty, and who set it last. */
export const holderColumns = () => ({
  user: textColumn('user'),
  group: textColumn('group'),
  set_by: textColumn('set_by'),
});
