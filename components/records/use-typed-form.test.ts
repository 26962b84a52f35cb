import { expect, it } from 'vitest';
import { readTyped } from './use-typed-form';

it('what was typed is what differs from what the server wrote', () => {
  const fields = [
    { name: 'name', value: 'typed', defaultValue: '' },
    { name: 'description', value: 'as it was', defaultValue: 'as it was' },
  ];
  expect(readTyped({ querySelectorAll: () => fields } as unknown as Document)).toEqual([['name', 'typed']]);
});
