import { logsTable } from '@/db/schema/logs';
import { logsPolicy } from './logs-policy';
import { defineCollection } from '@/lib/records/collection';
import { searched, searchedOnly } from '@/lib/records/fields/access';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { text } from '@/lib/records/fields/text';

/** Request logs, read with the record engine but by their own calls: not among the collections of the record API. */
export const logs = defineCollection({
  id: 'berthlogs000001',
  name: 'logs',
  table: logsTable,
  fields: {
    rowid: searchedOnly(number({ serverWritten: true })),
    level: searched(number({ serverWritten: true })),
    message: searched(text({ serverWritten: true })),
    data: searched(json({ serverWritten: true })),
  },
  policy: logsPolicy,
});
