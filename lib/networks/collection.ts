import { networksTable } from '@/db/schema/networks';
import { RESOURCE_STATUSES } from '@/lib/vocabulary/resource-status';
import { networksPolicy } from './policy';
import { defineCollection } from '@/lib/records/collection';
import { date } from '@/lib/records/fields/date';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { text } from '@/lib/records/fields/text';
import { checkHostResource, refuseWhileUsed } from '@/lib/hosts/on-host';
import { createdByField, nameField } from '@/lib/records/references';

export const networks = defineCollection({
  id: 'berthnetworks01',
  name: 'networks',
  table: networksTable,
  fields: {
    name: nameField(),
    host: relation('hosts', { required: true }),
    created_by: createdByField(),
    status: select({ values: RESOURCE_STATUSES, serverWritten: true }),
    statusMessage: text({ serverWritten: true }),
    observedAt: date({ serverWritten: true }),
  },
  check: (context) =>
    checkHostResource(context, {
      act: 'canCreateNetworks',
      refusal: 'You do not have permission to create networks on this host.',
    }),
  unique: [{ fields: ['name', 'host'] }],
  relations: ['host', 'created_by'],
  search: ['name', 'host', 'created_by', 'status', 'statusMessage', 'observedAt'],
  policy: networksPolicy,
  hooks: {
    complete({ row, before }) {
      if (!before) row.status = 'pending';
    },
    beforeDelete: ({ tx, row }) => refuseWhileUsed(tx, 'networks', row.id),
  },
  output: ['name', 'host', 'created_by', 'status', 'statusMessage', 'observedAt'],
});
