import { z } from 'zod';
import { recommendationsTable } from '@/db/schema/recommendations';
import { RECOMMENDATION_KINDS } from '@/lib/vocabulary/recommendation';
import { recommendationsPolicy } from './policy';
import { defineCollection } from '@/lib/records/collection';
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
    kind: select({ values: RECOMMENDATION_KINDS, required: true }),
    name: nameField(),
    description: descriptionField(),
    author: text({ max: 200 }),
    official: bool(),
    stars: number({ min: 0, noDecimal: true }),
    server: url(),
    serverId: text({ max: 200 }),
    version: text({ max: 100 }),
    versions: json({ schema: versionsSchema, unset: [] }),
    installed: bool(),
    autoApply: bool(),
    enabled: bool(),
    deprecated: bool(),
  },
  unique: [{ fields: ['server', 'serverId'], when: (row) => row.serverId !== '' }],
  relations: [],
  search: [
    'kind',
    'name',
    'description',
    'author',
    'official',
    'stars',
    'server',
    'serverId',
    'version',
    'versions',
    'installed',
    'autoApply',
    'enabled',
    'deprecated',
  ],
  policy: recommendationsPolicy,
  hooks: {
    complete({ row, before, sent }) {
      if (!before && !sent.has('enabled')) row.enabled = true;
    },
  },
  output: [
    'kind',
    'name',
    'description',
    'author',
    'official',
    'stars',
    'server',
    'serverId',
    'version',
    'versions',
    'installed',
    'autoApply',
    'enabled',
    'deprecated',
  ],
});
