import { groupsTable } from '@/db/schema/groups';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { number } from '@/lib/records/fields/number';
import { createdByField, descriptionField, nameField } from '@/lib/records/references';
import { takeAlong } from './take-along';
import { groupsPolicy } from './policy';

/** People who hold permissions together, as one person does alone. */
export const groups = defineCollection({
  id: 'berthusergroups',
  name: 'groups',
  table: groupsTable,
  fields: {
    name: searched(nameField()),
    description: searched(descriptionField()),
    created_by: searched(createdByField()),
    memberCount: searched(number({ serverWritten: true })),
  },
  unique: [{ fields: ['name'], sentence: 'This name is already taken by another group.' }],
  policy: groupsPolicy,
  hooks: { beforeDelete: takeAlong },
});
