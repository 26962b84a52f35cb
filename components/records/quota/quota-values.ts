import { z } from 'zod';
import type { Collections } from '@/components/data/types';
import {
  QUOTA_FIELDS,
  QUOTA_TIMES,
  type QuotaField,
  quotaSchemas,
  type QuotaValue,
  UNLIMITED,
} from '@/lib/vocabulary/quota';

export type QuotaRecord = Collections['quotas'];

export const WAYS = ['unset', 'bound', 'unlimited'] as const;

const GIB = 1024 ** 3;
/** Amounts that the form shows in a unit of its own: how much of the stored one it is. */
const unitOf = (field: QuotaField) => (field.endsWith('Bytes') ? GIB : 1);

const isTime = (field: QuotaField) => QUOTA_TIMES.some((time) => time === field);

const fieldOf = (field: QuotaField) =>
  z.object({ by: z.enum(WAYS), at: z.string().trim() }).superRefine(({ by, at }, context) => {
    if (by !== 'bound') return;
    const problem =
      at === ''
        ? 'required'
        : !/^\d+(?:\.\d+)?$/.test(at)
          ? 'mustBeNumber'
          : isStorable(field, at)
            ? ''
            : isTime(field)
              ? 'quotaTimeRange'
              : 'quotaRange';
    if (problem) context.addIssue({ code: 'custom', path: ['at'], message: problem });
  });

/** Bytes are whole whatever part of a unit was typed. */
const stored = (field: QuotaField, typed: string): number =>
  unitOf(field) === 1 ? Number(typed) : Math.round(Number(typed) * unitOf(field));

function isStorable(field: QuotaField, typed: string): boolean {
  return quotaSchemas[field].safeParse(stored(field, typed)).success;
}

export const quotaFormSchema = z.object({
  workspaces: fieldOf('workspaces'),
  running: fieldOf('running'),
  cpus: fieldOf('cpus'),
  memoryBytes: fieldOf('memoryBytes'),
  gpus: fieldOf('gpus'),
  storageBytes: fieldOf('storageBytes'),
  idleMinutesMax: fieldOf('idleMinutesMax'),
  deleteDaysMax: fieldOf('deleteDaysMax'),
  keepHoursMax: fieldOf('keepHoursMax'),
});
export type QuotaValues = z.infer<typeof quotaFormSchema>;

function toField(field: QuotaField, value: QuotaValue): QuotaValues[QuotaField] {
  if (value === null) return { by: 'unset', at: '' };
  if (value === UNLIMITED) return { by: 'unlimited', at: '' };
  return { by: 'bound', at: String(Math.round((value / unitOf(field)) * 1000) / 1000) };
}

/** The form of a quota, where one was set. */
export function toValues(quota: QuotaRecord | null): QuotaValues {
  return Object.fromEntries(
    QUOTA_FIELDS.map((field) => [field, toField(field, quota?.[field] ?? null)]),
  ) as QuotaValues;
}

export function toBody(values: QuotaValues): Record<QuotaField, QuotaValue> {
  return Object.fromEntries(
    QUOTA_FIELDS.map((field) => {
      const { by, at } = values[field];
      return [field, by === 'unset' ? null : by === 'unlimited' ? UNLIMITED : stored(field, at)];
    }),
  ) as Record<QuotaField, QuotaValue>;
}
