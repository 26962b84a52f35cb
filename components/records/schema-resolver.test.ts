import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaResolver } from './schema-resolver';

const schema = z.object({
  name: z.string().min(3).max(5),
  code: z.string().length(4),
  number: z.number().positive().max(10),
  list: z.array(z.string()).min(1).max(2),
  own: z.string().max(1, 'ownWords'),
});
const good = { name: 'abc', code: 'abcd', number: 1, list: ['a'], own: '' };

describe("what a form's schema complains of", () => {
  it.each([
    ['name', 'ab', 'atLeastCharacters:3'],
    ['name', 'abcdef', 'atMostCharacters:5'],
    ['name', undefined, 'required'],
    ['code', 'abc', 'exactlyCharacters:4'],
    ['number', 0, 'mustBePositiveNumber'],
    ['number', 11, 'maximumValue:10'],
    ['number', NaN, 'mustBeNumber'],
    ['list', [], 'pleaseAddAtLeastOne'],
    ['list', ['a', 'b', 'c'], 'maxNumberOfItemsExceeded'],
    ['own', 'ab', 'ownWords'],
  ])('%s: %j is %s', async (field, value, message) => {
    const values = { ...good, [field]: value } as typeof good;
    const { errors } = await schemaResolver(schema)(values, undefined, {
      fields: {},
      shouldUseNativeValidation: false,
    });
    expect(errors).toEqual({ [field]: expect.objectContaining({ message }) });
  });
});
