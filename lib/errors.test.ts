import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { problemsOf } from './errors';

const schema = z.strictObject({
  name: z.string('Must be a text.').min(3, 'Too short.').regex(/^a/, 'Must begin with a.'),
  ports: z.array(z.strictObject({ port: z.number('No number.') })),
  odd: z.custom(() => false, { params: { code: 'validation_odd' }, message: 'Odd.' } as never).optional(),
});
const found = (value: unknown) => problemsOf(schema.safeParse(value).error!);

describe('what a schema has against a value', () => {
  test('is nested by key and index, the first of each place', () => {
    expect(found({ name: 'b', ports: [{ port: 1 }, { port: 'x', extra: 1 }] })).toEqual({
      whole: undefined,
      fields: {
        name: { code: 'validation_invalid_value', message: 'Too short.' },
        ports: {
          1: {
            port: { code: 'validation_invalid_value', message: 'No number.' },
            extra: { code: 'validation_unknown_field', message: 'Unknown field "extra".' },
          },
        },
      },
    });
  });

  test('names a value that is wrong as a whole', () => {
    expect(found('x')).toEqual({
      whole: { code: 'validation_invalid_value', message: expect.any(String) as string },
      fields: {},
    });
  });

  test('reaches no prototype', () => {
    const { fields } = found(JSON.parse('{"name":"abc","ports":[],"__proto__":{},"constructor":1}'));
    expect(Object.keys(fields).sort()).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(fields)).toBeNull();
  });
});

describe('a schema without words of its own speaks in ours', () => {
  const plain = z.strictObject({
    name: z.string().min(2).max(3).optional(),
    count: z.int().min(0).max(9).optional(),
    list: z.array(z.string()).max(1).optional(),
    kind: z.enum(['a', 'b']).optional(),
    url: z.url().optional(),
  });
  test.each([
    [{ name: 'a' }, 'Must be at least 2 characters.'],
    [{ name: 'abcd' }, 'Must be at most 3 characters.'],
    [{ name: 5 }, 'Must be a text.'],
    [{ count: -1 }, 'Must not be negative.'],
    [{ count: 10 }, 'Must be at most 9.'],
    [{ count: 1.5 }, 'Must be a whole number.'],
    [{ list: ['a', 'b'] }, 'Maximum number of items exceeded!'],
    [{ list: 'a' }, 'Must be a list.'],
    [{ kind: 'c' }, 'Must be one of: a, b.'],
    [{ url: 'nope' }, 'Must be a valid url.'],
  ])('%j: %s', (value, message) => {
    const { fields } = problemsOf(plain.safeParse(value).error!);
    expect(Object.values(fields)).toEqual([{ code: 'validation_invalid_value', message }]);
  });
});
