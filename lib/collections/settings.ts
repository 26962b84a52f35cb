import { settingsTable } from '@/db/schema/settings';
import type { FieldProblems } from '@/lib/errors';
import { settingsPolicy } from '@/lib/policies/settings';
import { defineCollection } from '@/lib/records/collection';
import { json } from '@/lib/records/fields/json';
import { text } from '@/lib/records/fields/text';
import { hideSecrets, sealSecrets } from './setting-secrets';
import { checkSsoSetting, SSO_KEY } from './sso-setting';

export const settings = defineCollection({
  id: 'berthsettings01',
  name: 'settings',
  table: settingsTable,
  fields: {
    key: text({ required: true, max: 100, pattern: /^[A-Za-z][A-Za-z0-9._-]*$/ }),
    value: json({ toStored: sealSecrets, toWire: hideSecrets }),
  },
  unique: [{ fields: ['key'] }],
  check({ row }): FieldProblems {
    const problems = row.key === SSO_KEY ? checkSsoSetting(row.value) : {};
    return Object.keys(problems).length === 0 ? {} : { value: problems };
  },
  relations: [],
  search: ['key'],
  policy: settingsPolicy,
  output: ['key', 'value'],
});
