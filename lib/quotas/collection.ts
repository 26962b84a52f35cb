import type { z } from 'zod';
import { quotasTable } from '@/db/schema/quotas';
import { type FieldProblems, problemsOf } from '@/lib/errors';
import { type CheckContext, defineCollection, type RowOf } from '@/lib/records/collection';
import { shown } from '@/lib/records/fields/access';
import { json } from '@/lib/records/fields/json';
import { holderFields, setBy } from '@/lib/records/grants';
import { QUOTA_FIELDS, QUOTA_TIMES, type QuotaField, quotaSchemas, type QuotaValue } from '@/lib/vocabulary/quota';
import { quotasPolicy } from './policy';

const bound = (name: QuotaField) => shown(json<z.ZodType<Exclude<QuotaValue, null>>>({ schema: quotaSchemas[name] }));

/** How much a person, each member of a group, or everybody may have. */
export const quotas = defineCollection({
  id: 'berthquotas0001',
  name: 'quotas',
  table: quotasTable,
  fields: {
    ...holderFields(),
    workspaces: bound('workspaces'),
    running: bound('running'),
    cpus: bound('cpus'),
    memoryBytes: bound('memoryBytes'),
    gpus: bound('gpus'),
    storageBytes: bound('storageBytes'),
    idleMinutesMax: bound('idleMinutesMax'),
    deleteDaysMax: bound('deleteDaysMax'),
    keepHoursMax: bound('keepHoursMax'),
  },
  check: checkQuota,
  unique: [{ fields: ['user', 'group'], sentence: 'There is a quota for them already.' }],
  policy: quotasPolicy,
  hooks: setBy,
});

type QuotaRow = RowOf<typeof quotasTable>;

const IN_SETTINGS = 'What holds for everybody is set in the settings of time.';

/** A quota stays whose it is; of nobody in particular it is everybody's. */
function checkQuota({ row, before }: CheckContext<QuotaRow>): FieldProblems {
  const problems: FieldProblems = {};
  for (const name of ['user', 'group'] as const) {
    if (before && before[name] !== row[name]) {
      problems[name] = { code: 'validation_in_invalid', message: 'Must be a valid value.' };
    }
  }
  if (row.user !== '' && row.group !== '') {
    problems.group ??= { code: 'validation_one_holder', message: 'Choose a user or a group for a quota, not both.' };
  }
  for (const name of QUOTA_FIELDS) {
    // Fields take what reads as nothing without a look: false, an empty list.
    const parsed = row[name] === null ? undefined : quotaSchemas[name].safeParse(row[name]);
    const problem = parsed?.error && problemsOf(parsed.error).whole;
    if (problem) problems[name] = problem;
  }
  if (row.user === '' && row.group === '') {
    const sent = QUOTA_TIMES.filter((name) => row[name] !== null);
    for (const name of sent) problems[name] = { code: 'validation_in_settings', message: IN_SETTINGS };
  }
  return problems;
}
