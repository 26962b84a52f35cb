import { expect, it } from 'vitest';
import type { HostRecord } from '@/components/data/types';
import { schemaResolver } from '@/components/records/schema-resolver';
import { intervalsSchema, timeoutsSchema, toIntervals, toTimeouts } from './times-schema';

const host = {
  heartbeat_interval_seconds: 5,
  reconciliation_interval_seconds: 60,
  pull_timeout: 0,
  push_timeout: 90,
  build_timeout: 0,
} as HostRecord;
const options = { fields: {}, shouldUseNativeValidation: false };

it('takes what is stored, where 0 is no timeout', () => {
  expect(intervalsSchema.parse(toIntervals(host))).toEqual(toIntervals(host));
  expect(timeoutsSchema.parse(toTimeouts(host))).toEqual({ pull_timeout: null, push_timeout: 90, build_timeout: null });
});

it.each([
  ['pull_timeout', -1, 'timeoutRange'],
  ['pull_timeout', 0, 'timeoutRange'],
  ['push_timeout', 604_801, 'timeoutRange'],
  ['build_timeout', NaN, 'mustBeNumber'],
])('refuses %s of %s', async (field, value, message) => {
  const { errors } = await schemaResolver(timeoutsSchema)({ ...toTimeouts(host), [field]: value }, undefined, options);
  expect(errors).toEqual({ [field]: expect.objectContaining({ message }) });
});

it.each([
  [0, 'intervalRange'],
  [1.5, 'intervalRange'],
  [null, 'required'],
  [NaN, 'mustBeNumber'],
])('refuses an interval of %s', async (value, message) => {
  const values = { ...toIntervals(host), heartbeat_interval_seconds: value as number };
  const { errors } = await schemaResolver(intervalsSchema)(values, undefined, options);
  expect(errors).toEqual({ heartbeat_interval_seconds: expect.objectContaining({ message }) });
});
