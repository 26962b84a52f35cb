import { expect, it } from 'vitest';
import { withoutDoubles } from './records';

it('keeps each record once, where it came first, as it came last', () => {
  const rows = [
    { id: 'a', name: 'old' },
    { id: 'b', name: 'two' },
    { id: 'a', name: 'new' },
  ];
  expect(withoutDoubles(rows)).toEqual([
    { id: 'a', name: 'new' },
    { id: 'b', name: 'two' },
  ]);
});
