import { auditTable } from '@/db/schema/audit';
import { auditPolicy } from './policy';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { writtenJson } from '@/lib/records/fields/json';
import { select } from '@/lib/records/fields/select';
import { text } from '@/lib/records/fields/text';

import { AUDIT_OUTCOMES } from '@/lib/vocabulary/audit';

const written = () => searched(text({ serverWritten: true }));

/** Who did what, when and from where. Users and records are plain ids: a row outlives what it names. */
export const audit = defineCollection({
  id: 'berthaudit00001',
  name: 'audit',
  table: auditTable,
  fields: {
    user: written(),
    userName: written(),
    action: written(),
    outcome: searched(select({ values: AUDIT_OUTCOMES, required: true, serverWritten: true })),
    collection: written(),
    record: written(),
    recordName: written(),
    address: written(),
    userAgent: written(),
    via: written(),
    details: searched(writtenJson<Record<string, unknown>>({ unset: {} })),
  },
  policy: auditPolicy,
});
