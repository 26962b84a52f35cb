import { describe, expect, it } from 'vitest';
import type { HostRecord } from '@/components/data/types';
import { engineText } from './engine-text';
import { hostSchema, toValues } from './host-schema';
import { joinCommand } from './join-command';

describe('the engine of a host', () => {
  it.each([
    [{ kind: 'docker', version: '29.1' }, 'docker 29.1'],
    [{ kind: 'simulated', version: 'simulated' }, 'simulated'],
    [null, '–'],
  ])('%j reads %s', (engine, text) => {
    expect(engineText({ engine } as Pick<HostRecord, 'engine'>)).toBe(text);
  });
});

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

describe('the command that joins a host', () => {
  const join = { consoleUrl: 'https://berth.example.org', hostName: 'hopper', token: 'secret-1' };

  it.each(['docker', 'compose', 'npm'] as const)('hands over address, name and token with %s', (way) => {
    const command = joinCommand(way, join);
    for (const value of Object.values(join)) expect(command).toContain(value);
  });

  it('continues every line but the last on a command line', () => {
    for (const way of ['docker', 'npm'] as const) {
      const lines = joinCommand(way, join).split('\n');
      expect(lines.map((line) => line.endsWith('\\'))).toEqual(lines.map((_, index) => index < lines.length - 1));
    }
  });
});
