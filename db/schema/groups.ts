import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { numberColumn, recordColumns, textColumn } from './columns';

export const groupsTable = sqliteTable(
  'groups',
  {
    ...recordColumns(),
    name: textColumn('name'),
    description: textColumn('description'),
    created_by: textColumn('created_by'),
    /** Kept with each membership: whoever gives rights to a group may know how many get them, and not who. */
    memberCount: numberColumn('member_count'),
  },
  (table) => [uniqueIndex('groups_name_unique').on(table.name), index('groups_created').on(table.created)],
);

export const groupMembersTable = sqliteTable(
  'group_members',
  {
    ...recordColumns(),
    user: textColumn('user'),
    group: textColumn('group'),
    /** `manual`, or `single sign-on` where a claim of the provider made it. */
    source: textColumn('source'),
  },
  (table) => [
    uniqueIndex('group_members_user_group_unique').on(table.user, table.group),
    index('group_members_group').on(table.group),
  ],
);
