import { settingsTable } from '@/db/schema/settings';
import { settingsPolicy } from '@/lib/policies/settings';
import { defineCollection } from '@/lib/records/collection';
import { json } from '@/lib/records/fields/json';
import { text } from '@/lib/records/fields/text';

export const settings = defineCollection({
  id: 'berthsettings01',
  name: 'settings',
  table: settingsTable,
  fields: {
    key: text({ required: true, max: 100, pattern: /^[A-Za-z][A-Za-z0-9._-]*$/ }),
    value: json({ toWire: hideSecrets }),
  },
  unique: [{ fields: ['key'] }],
  relations: [],
  search: ['key'],
  policy: settingsPolicy,
  output: ['key', 'value'],
});

/** Whatever is called a secret or password leaves as an empty text. */
function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      /secret|password/i.test(key) && typeof item === 'string' ? '' : hideSecrets(item),
    ]),
  );
}
