import { expect, it } from 'vitest';
import { freeName } from './free-name';

it.each([
  ['lab', [], 'lab-2'],
  ['lab', ['lab', 'lab-2', 'lab-4'], 'lab-3'],
  ['lab-2', ['lab', 'lab-2'], 'lab-3'],
  ['x'.repeat(100), [], `${'x'.repeat(90)}-2`],
])('%s beside %j is made again as %s', (name, taken, free) => expect(freeName(name, taken)).toBe(free));
