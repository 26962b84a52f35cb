import { groupMembersTable } from '@/db/schema/groups';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { MEMBER_SOURCES } from '@/lib/vocabulary/group';
import { groupMembersPolicy } from './policy';

/** Who is in which group, a record each. */
export const groupMembers = defineCollection({
  id: 'berthgroupmembs',
  name: 'group_members',
  table: groupMembersTable,
  fields: {
    group: searched(relation('groups', { required: true, cascadeDelete: true })),
    user: searched(relation('users', { required: true, cascadeDelete: true })),
    source: searched(select({ values: MEMBER_SOURCES, serverWritten: true })),
  },
  unique: [{ fields: ['user', 'group'], message: 'Selected user is already in this group.' }],
  policy: groupMembersPolicy,
  hooks: {
    complete({ row }) {
      row.source = 'manual';
    },
  },
});
