import { describe, expect, it } from 'vitest';
import type { HostRecord } from '@/components/data/types';
import { hostSchema, toValues } from './host-schema';

describe('the form of a host', () => {
  const host = {
    name: 'hopper',
    default_runtime: 'runc',
    default_gpu_runtime: 'nvidia',
    heartbeat_interval_seconds: 5,
    reconciliation_interval_seconds: 60,
    pull_timeout: 0,
    push_timeout: 0,
    build_timeout: 0,
  } as HostRecord;

  it('takes what is stored', () => {
    expect(hostSchema.parse(toValues(host))).toEqual(host);
  });

  it.each([
    ['pull_timeout', -1, 'mustBeNonNegative'],
    ['heartbeat_interval_seconds', 0, 'atLeastOne'],
    ['build_timeout', NaN, 'mustBeNumber'],
    ['default_runtime', ' ', 'required'],
  ])('refuses %s of %s', (field, value, message) => {
    const { error } = hostSchema.safeParse({ ...toValues(host), [field]: value });
    expect(error?.issues.map((issue) => [issue.path[0], issue.message])).toEqual([[field, message]]);
  });
});
