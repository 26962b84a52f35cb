import { networksTable } from '@/db/schema/networks';
import { RESOURCE_STATUSES } from '@/lib/vocabulary/resource-status';
import { networksPolicy } from './policy';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { date } from '@/lib/records/fields/date';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { tags } from '@/lib/records/fields/tags';
import { text } from '@/lib/records/fields/text';
import { checkHostResource, refuseWhileUsed } from '@/lib/hosts/on-host';
import { createdByField, nameField } from '@/lib/records/references';

export const networks = defineCollection({
  id: 'berthnetworks01',
  name: 'networks',
  table: networksTable,
  fields: {
    name: searched(nameField()),
    host: searched(relation('hosts', { required: true })),
    created_by: searched(createdByField()),
    tags: searched(tags()),
    status: searched(select({ values: RESOURCE_STATUSES, serverWritten: true })),
    statusMessage: searched(text({ serverWritten: true })),
    observedAt: searched(date({ serverWritten: true })),
  },
  check: (context) =>
    checkHostResource(context, {
      act: 'canCreateNetworks',
      refusal: 'You do not have permission to create networks on this host.',
    }),
  unique: [{ fields: ['name', 'host'], sentence: 'This name is already taken on the host.' }],
  policy: networksPolicy,
  hooks: {
    complete({ row, before }) {
      if (!before) row.status = 'pending';
    },
    beforeDelete: ({ tx, actor, row }) => refuseWhileUsed({ tx, actor }, 'networks', row.id),
  },
});
