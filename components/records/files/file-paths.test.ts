import { describe, expect, it } from 'vitest';
import { cleanPath, joinPath, shownName, sortEntries, waysTo } from './file-paths';

describe('paths of a container', () => {
  it('stay below its root', () => {
    expect(['', '/', '//etc/', '/a/../../b/./c', 'etc', '/..'].map(cleanPath)).toEqual([
      '/',
      '/',
      '/etc',
      '/b/c',
      '/etc',
      '/',
    ]);
  });

  it('are joined, and taken apart into the folders on the way', () => {
    expect([joinPath('/', 'a'), joinPath('/a', 'b')]).toEqual(['/a', '/a/b']);
    expect(waysTo('/')).toEqual([{ name: '/', path: '/' }]);
    expect(waysTo('/a/b').map(({ path }) => path)).toEqual(['/', '/a', '/a/b']);
  });

  it('show a line break as a sign', () => {
    expect(shownName('a\nb\u007f')).toBe('a␊b␡');
  });

  it('are in the order of people, folders first', () => {
    const entries = ['b10', 'b9', 'a'].map((name) => ({ name, kind: name === 'b10' ? 'folder' : 'file' }));
    expect(sortEntries(entries).map(({ name }) => name)).toEqual(['b10', 'a', 'b9']);
  });
});
