import { expect, it } from 'vitest';
import type { AuditRecord } from '@/components/data/types';
import { lastChangeOf } from './use-who-changed';

const row = (userName: string, details: Record<string, unknown>) => ({ userName, details }) as AuditRecord;

it('names the newest change of the field', () => {
  const rows = [row('Ann', { fields: ['name'] }), row('Ben', { fields: ['description', 'name'] })];
  expect(lastChangeOf(rows, 'description')?.userName).toBe('Ben');
  expect(lastChangeOf(rows, 'name')?.userName).toBe('Ann');
  expect(lastChangeOf(rows, 'image')).toBeUndefined();
});

it('takes a row that names no fields for a change of any', () => {
  expect(lastChangeOf([row('Ann', { keys: ['sso'] })], 'clientId')?.userName).toBe('Ann');
});
