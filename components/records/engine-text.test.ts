import { describe, expect, it } from 'vitest';
import type { HostRecord } from '@/components/data/types';
import { engineText } from './engine-text';

describe('the engine of a host', () => {
  it.each([
    [{ kind: 'docker', version: '29.1' }, 'docker 29.1'],
    [{ kind: 'simulated', version: 'simulated' }, 'simulated'],
    [null, '–'],
  ])('%j reads %s', (engine, text) => {
    expect(engineText({ engine } as Pick<HostRecord, 'engine'>)).toBe(text);
  });
});
