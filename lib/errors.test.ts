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
