import { auditTable } from '@/db/schema/audit';
import { auditPolicy } from './policy';
import { defineCollection } from '@/lib/records/collection';
import { json } from '@/lib/records/fields/json';
import { text } from '@/lib/records/fields/text';

const written = () => text({ serverWritten: true });

const FIELDS = [
  'user',
  'userName',
  'action',
  'outcome',
  'collection',
  'record',
  'recordName',
  'address',
  'userAgent',
  'via',
  'details',
] as const;

/** Who did what, when and from where. Users and records are plain ids: a row outlives what it names. */
export const audit = defineCollection({
  id: 'berthaudit00001',
  name: 'audit',
  table: auditTable,
  fields: {
    user: written(),
    userName: written(),
    action: written(),
    outcome: written(),
    collection: written(),
    record: written(),
    recordName: written(),
    address: written(),
    userAgent: written(),
    via: written(),
    details: json({ serverWritten: true, unset: {} }),
  },
  relations: [],
  search: FIELDS,
  policy: auditPolicy,
  output: FIELDS,
});
