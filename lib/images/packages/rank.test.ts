import { expect, it } from 'vitest';
import { rankAll, rankOf } from './rank';

const ranked = (query: string, ...keys: string[]) =>
  rankAll(
    keys.map((key) => ({ key, name: key })),
    query,
  ).map(({ key }) => key);

it('puts the name itself first, then beginnings, words and parts, the shortest of each first', () => {
  const keys = ['xnumpy', 'numpy-stl', 'my-numpy-kit', 'numpydoc', 'numpy', 'pynumpy', 'a-numpy', 'pandas'];
  expect(ranked('numpy', ...keys)).toEqual([
    'numpy',
    'numpydoc',
    'numpy-stl',
    'a-numpy',
    'my-numpy-kit',
    'xnumpy',
    'pynumpy',
  ]);
});

it('counts a word only from its beginning', () => {
  expect([rankOf('scikit-learn', 'learn'), rankOf('scikit-learn', 'earn'), rankOf('scikit-learn', 'kit-l')]).toEqual([
    2, 3, 3,
  ]);
  expect(rankOf('numpy', 'pandas')).toBeUndefined();
});

it('names each package once', () => {
  expect(ranked('a', 'a', 'a', 'ab')).toEqual(['a', 'ab']);
});
