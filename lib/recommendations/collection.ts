import { z } from 'zod';
import { recommendationsTable } from '@/db/schema/recommendations';
import { RECOMMENDATION_KINDS } from '@/lib/vocabulary/recommendation';
import { recommendationsPolicy } from './policy';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { select } from '@/lib/records/fields/select';
import { text } from '@/lib/records/fields/text';
import { url } from '@/lib/records/fields/url';
import { descriptionField, nameField } from '@/lib/records/references';

const versionsSchema = z
  .array(
    z.strictObject({
      version: z.string().min(1, 'Cannot be blank.').max(100),
      match: z.record(z.string(), z.unknown()).default({}),
      apply: z.record(z.string(), z.unknown()).default({}),
      deprecated: z.boolean().default(false),
    }),
  )
  .max(500);

export const recommendations = defineCollection({
  id: 'berthrecommends',
  name: 'recommendations',
  table: recommendationsTable,
  fields: {
    kind: searched(select({ values: RECOMMENDATION_KINDS, required: true })),
    name: searched(nameField()),
    description: searched(descriptionField()),
    author: searched(text({ max: 200 })),
    official: searched(bool()),
    stars: searched(number({ min: 0, noDecimal: true })),
    server: searched(url()),
    serverId: searched(text({ max: 200 })),
    version: searched(text({ max: 100 })),
    versions: searched(json({ schema: versionsSchema, unset: [] })),
    installed: searched(bool()),
    autoApply: searched(bool()),
    enabled: searched(bool()),
    deprecated: searched(bool()),
  },
  unique: [{ fields: ['server', 'serverId'], when: (row) => row.serverId !== '' }],
  policy: recommendationsPolicy,
  hooks: {
    complete({ row, before, sent }) {
      if (!before && !sent.has('enabled')) row.enabled = true;
    },
  },
});
