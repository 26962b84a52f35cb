import { settingsTable } from '@/db/schema/settings';
import { settingsPolicy } from '@/lib/policies/settings';
import { defineCollection } from '@/lib/records/collection';
import { json } from '@/lib/records/fields/json';
import { text } from '@/lib/records/fields/text';
import { hideSecrets, sealSecrets } from './setting-secrets';

export const settings = defineCollection({
  id: 'berthsettings01',
  name: 'settings',
  table: settingsTable,
  fields: {
    key: text({ required: true, max: 100, pattern: /^[A-Za-z][A-Za-z0-9._-]*$/ }),
    value: json({ toStored: sealSecrets, toWire: hideSecrets }),
  },
  unique: [{ fields: ['key'] }],
  relations: [],
  search: ['key'],
  policy: settingsPolicy,
  output: ['key', 'value'],
});
