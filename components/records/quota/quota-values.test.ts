import { describe, expect, it } from 'vitest';
import { type QuotaRecord, quotaFormSchema, type QuotaValues, toBody, toValues } from './quota-values';

const GIB = 1024 ** 3;
const nothing = toValues(null);
const none = toBody(nothing);
const bound = (values: Partial<Record<keyof QuotaValues, string>>): QuotaValues => ({
  ...nothing,
  ...Object.fromEntries(Object.entries(values).map(([amount, at]) => [amount, { by: 'bound', at }])),
});
const wrong = (values: QuotaValues) =>
  (quotaFormSchema.safeParse(values).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);

describe('the form of a quota', () => {
  it('says what is stored, and stores what it says', () => {
    const stored = { cpus: 1.5, memoryBytes: 2 * GIB, gpus: 0, running: 'unlimited', workspaces: null };
    const values = toValues(stored as unknown as QuotaRecord);
    expect(values).toEqual({
      ...nothing,
      cpus: { by: 'bound', at: '1.5' },
      memoryBytes: { by: 'bound', at: '2' },
      gpus: { by: 'bound', at: '0' },
      running: { by: 'unlimited', at: '' },
    });
    expect(toBody(values)).toEqual({ ...none, ...stored });
    expect(toBody(bound({ storageBytes: '0.3' })).storageBytes).toBe(Math.round(0.3 * GIB));
  });

  it.each<[amount: keyof QuotaValues, typed: string, problem: string | undefined]>([
    ['cpus', '0.5', undefined],
    ['gpus', '0', undefined],
    ['memoryBytes', '1.5', undefined],
    ['cpus', '', 'required'],
    ['cpus', '-1', 'mustBeNumber'],
    ['cpus', 'NaN', 'mustBeNumber'],
    ['cpus', '1e9', 'mustBeNumber'],
    ['running', '1.5', 'quotaRange'],
    ['workspaces', '99999999999', 'quotaRange'],
    ['storageBytes', '9999999999', 'quotaRange'],
    ['idleMinutesMax', '5', undefined],
    ['idleMinutesMax', '4', 'quotaTimeRange'],
    ['keepHoursMax', '1.5', 'quotaTimeRange'],
  ])('takes %s of %j: %s', (amount, typed, problem) => {
    expect(wrong(bound({ [amount]: typed }))).toEqual(problem ? [[`${amount}.at`, problem]] : []);
  });
});
