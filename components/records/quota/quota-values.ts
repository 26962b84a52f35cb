import { z } from 'zod';
import type { Collections } from '@/components/data/types';
import { QUOTA_AMOUNTS, type QuotaAmount, quotaSchemas, type QuotaValue, UNLIMITED } from '@/lib/vocabulary/quota';

export type QuotaRecord = Collections['quotas'];

export const WAYS = ['unset', 'bound', 'unlimited'] as const;

const GIB = 1024 ** 3;
/** Amounts that the form shows in a unit of its own: how much of the stored one it is. */
const unitOf = (amount: QuotaAmount) => (amount.endsWith('Bytes') ? GIB : 1);

const fieldOf = (amount: QuotaAmount) =>
  z.object({ by: z.enum(WAYS), at: z.string().trim() }).superRefine(({ by, at }, context) => {
    if (by !== 'bound') return;
    const problem =
      at === ''
        ? 'required'
        : !/^\d+(?:\.\d+)?$/.test(at)
          ? 'mustBeNumber'
          : isStorable(amount, at)
            ? ''
            : 'quotaRange';
    if (problem) context.addIssue({ code: 'custom', path: ['at'], message: problem });
  });

/** Bytes are whole whatever part of a unit was typed. */
const stored = (amount: QuotaAmount, typed: string): number =>
  unitOf(amount) === 1 ? Number(typed) : Math.round(Number(typed) * unitOf(amount));

function isStorable(amount: QuotaAmount, typed: string): boolean {
  return quotaSchemas[amount].safeParse(stored(amount, typed)).success;
}

export const quotaFormSchema = z.object({
  workspaces: fieldOf('workspaces'),
  running: fieldOf('running'),
  cpus: fieldOf('cpus'),
  memoryBytes: fieldOf('memoryBytes'),
  gpus: fieldOf('gpus'),
  storageBytes: fieldOf('storageBytes'),
});
export type QuotaValues = z.infer<typeof quotaFormSchema>;

function toField(amount: QuotaAmount, value: QuotaValue): QuotaValues[QuotaAmount] {
  if (value === null) return { by: 'unset', at: '' };
  if (value === UNLIMITED) return { by: 'unlimited', at: '' };
  return { by: 'bound', at: String(Math.round((value / unitOf(amount)) * 1000) / 1000) };
}

/** The form of a quota, where one was set. */
export function toValues(quota: QuotaRecord | null): QuotaValues {
  return Object.fromEntries(
    QUOTA_AMOUNTS.map((amount) => [amount, toField(amount, quota?.[amount] ?? null)]),
  ) as QuotaValues;
}

export function toBody(values: QuotaValues): Record<QuotaAmount, QuotaValue> {
  return Object.fromEntries(
    QUOTA_AMOUNTS.map((amount) => {
      const { by, at } = values[amount];
      return [amount, by === 'unset' ? null : by === 'unlimited' ? UNLIMITED : stored(amount, at)];
    }),
  ) as Record<QuotaAmount, QuotaValue>;
}
