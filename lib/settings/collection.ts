import { settingsTable } from '@/db/schema/settings';
import { settingsPolicy } from './policy';
import type { FieldProblems } from '@/lib/errors';
import { refuseApiToken } from '@/lib/policies/actor';
import { defineCollection } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { json } from '@/lib/records/fields/json';
import { text } from '@/lib/records/fields/text';
import { checkSetting } from './setting-checks';
import { hideSecrets, sealSecrets } from './setting-secrets';

export const settings = defineCollection({
  id: 'berthsettings01',
  name: 'settings',
  table: settingsTable,
  fields: {
    key: searched(text({ required: true, max: 100, pattern: /^[A-Za-z][A-Za-z0-9._-]*$/ })),
    value: shown(json({ toStored: sealSecrets, toWire: hideSecrets })),
  },
  unique: [{ fields: ['key'] }],
  check({ row, actor, tx, before, sent }): FieldProblems {
    if (before?.key === row.key && !sent.has('value')) return {};
    const problems = checkSetting(row.key, row.value, { actor, tx });
    return Object.keys(problems).length === 0 ? {} : { value: problems };
  },
  policy: settingsPolicy,
  hooks: {
    // Where mails go and which providers sign in decides who gets in.
    checkSystem({ actor }): FieldProblems {
      refuseApiToken(actor, 'settings');
      return {};
    },
    beforeDelete: ({ actor }) => refuseApiToken(actor, 'settings'),
  },
});
