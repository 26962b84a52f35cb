import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { collections } from '@/lib/api/collections';
import { log } from '@/lib/log';
import type { AnyRow, Collection } from '@/lib/records/collection';
import type { Field } from '@/lib/records/fields/field';
import { isClosed } from '@/lib/policies/evaluate';
import { StoreReader } from '@/lib/records/transaction';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';
import { openWorld, personOf, scenarios } from './scenarios';

/** Every field of every collection against values that it is not made for, over JSON and multipart. */
openPrivateDatabase();

const failures: unknown[][] = [];
/** One record of every collection. */
const foreign: Record<string, AnyRow> = {};

beforeAll(async () => {
  await openWorld();
  for (const [name, scenario] of Object.entries(scenarios)) foreign[name] = (await scenario.make()).row;
});
beforeEach(() => {
  failures.length = 0;
  // An error of our own, which would be answered as a general 400, is logged.
  vi.spyOn(log, 'error').mockImplementation((...args: unknown[]) => void failures.push(args));
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(failures).toEqual([]);
});

const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  'x',
  'x'.repeat(5000),
  '\u0000',
  '007',
  'true',
  '[1,"x"]',
  '{"a":1}',
  '2024-13-99',
  'https://',
  'aaaaaaaaaaaaaaa',
  [],
  [null],
  [[]],
  ['x', 1, {}],
  {},
  { a: { b: [] } },
];
/** The values of another type alone: the others are looked at in changes. */
const WRONG_TYPES = WRONG.filter((value) => typeof value !== 'string');
/** In forms all but texts travel as JSON or as their text: one of each shape, the others come to the same. */
const IN_FORMS = new Set<unknown>(
  WRONG.filter((value) => typeof value === 'string' || value === -1 || JSON.stringify(value) === '["x",1,{}]'),
);
const isWritable = (field: Field) => field.options.serverWritten !== true;

/** Whether what is stored is of the field's type. */
function isOfType(field: Field, value: unknown): boolean {
  if (field.multiple) return Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
  if (field.kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (field.kind === 'bool') return typeof value === 'boolean';
  if (field.kind === 'date') return value === '' || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value));
  return field.kind === 'json' || typeof value === 'string';
}

function formOf(name: string, value: unknown): FormData {
  const form = new FormData();
  if (typeof value === 'object' && value !== null) form.append('@jsonPayload', JSON.stringify({ [name]: value }));
  else form.append(name, String(value));
  return form;
}

/** Every key of a refusal is a field of ours, and every end of it is a problem. */
function checkProblems(collection: Collection, data: unknown): void {
  const known = [...collection.fields.keys(), 'id', 'password', 'passwordConfirm', 'oldPassword'];
  for (const [name, problem] of Object.entries(data as AnyRow)) {
    expect(known).toContain(name);
    const text = JSON.stringify(problem);
    expect(text).toContain('"code":"');
    expect(text).toContain('"message":"');
  }
}

const open = collections.filter(({ policy }) => !isClosed(policy.update)) as unknown as Collection[];

describe.each(open.map((collection) => [collection.name, collection] as const))('%s', (name, collection) => {
  const base = `/api/collections/${name}/records`;
  const fields = [...collection.fields].filter(([, field]) => isWritable(field));

  test('keeps the type of every field, or says what is wrong with it', async () => {
    const { row } = await scenarios[name]!.make();
    const address = `${base}/${String(row.id)}`;
    const read = () => new StoreReader().get(collection, String(row.id)) as AnyRow;
    for (const [key, field] of fields) {
      for (const value of WRONG) {
        for (const body of [{ [key]: value }, ...(IN_FORMS.has(value) ? [formOf(key, value)] : [])]) {
          const before = read();
          const { status, json } = await call('PATCH', address, { as: personOf('admin'), body });
          const where = [key, value, status];
          if (status === 200) {
            const stored = read()[key];
            expect([...where, stored, isOfType(field, stored)]).toEqual([...where, stored, true]);
          } else {
            expect([...where, read()]).toEqual([key, value, 400, before]);
            checkProblems(collection, json.data);
          }
        }
      }
    }
  }, 30_000);

  const relations = fields.filter(([, field]) => field.relation);

  // A skipped test counts as a failure, so what has no relation has no such test.
  if (relations.length > 0)
    test('refuses ids of other collections in every relation', async () => {
      const { row } = await scenarios[name]!.make();
      for (const [key, field] of relations) {
        for (const [other, { id }] of Object.entries(foreign)) {
          if (other === field.relation!.collection) continue;
          const before = everything();
          const body = { [key]: field.multiple ? [id] : id };
          const { status, json } = await call('PATCH', `${base}/${String(row.id)}`, { as: personOf('admin'), body });
          const { created_by: _owner, ...rest } = (json.data ?? {}) as AnyRow;
          // Whoever made a record stays the one, whatever is sent.
          if (key === 'created_by' && status === 200) continue;
          expect([key, other, status, Object.keys({ ...rest, [key]: 1 }).includes(key)]).toEqual([
            key,
            other,
            400,
            true,
          ]);
          expect(everything()).toBe(before);
        }
      }
    }, 30_000);
});

test.each(
  collections
    .filter(({ policy }) => !isClosed(policy.create))
    .map((each) => [each.name, each as unknown as Collection] as const),
)(
  '%s are not made of wrong types',
  async (name, collection) => {
    const scenario = scenarios[name]!;
    await scenario.make();
    for (const [key, field] of [...collection.fields].filter(([, each]) => isWritable(each))) {
      for (const value of WRONG_TYPES) {
        const body = { ...scenario.body(), [key]: value };
        const { status, json } = await call('POST', `/api/collections/${name}/records`, {
          as: personOf('admin'),
          body,
        });
        expect([200, 400]).toContain(status);
        if (status === 400) checkProblems(collection, json.data);
        else {
          const stored = (new StoreReader().get(collection, String(json.id)) as AnyRow)[key];
          expect([key, value, isOfType(field, stored)]).toEqual([key, value, true]);
        }
      }
    }
  },
  30_000,
);
