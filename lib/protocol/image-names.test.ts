import { describe, expect, it } from 'vitest';
import { freshTag, isFreshTag, normalizedText, olderFreshTags, ownTag, readOwnName } from './image-names';

describe('names of images', () => {
  it.each([
    ['redis', 'docker.io/library/redis:latest'],
    ['docker.io/redis', 'docker.io/library/redis:latest'],
    ['index.docker.io/x/y:1', 'docker.io/x/y:1'],
    ['x/y:1', 'docker.io/x/y:1'],
    ['Registry.Corp:443/a/b', 'registry.corp/a/b:latest'],
    ['localhost/a', 'localhost/a:latest'],
    ['reg:5000/a:2', 'reg:5000/a:2'],
    [`x/y:1@sha256:${'a'.repeat(64)}`, `docker.io/x/y@sha256:${'a'.repeat(64)}`],
  ])('%s means %s', (name, text) => expect(normalizedText(name)).toBe(text));

  it('that are ours are told, however they are spelled, and from every id', () => {
    expect(readOwnName(`docker.io/${ownTag('abcdefghij12345', 7)}`)).toEqual({
      repository: 'berth/abcdefghij12345',
      number: 7,
    });
    expect(readOwnName(ownTag('ÄBCDEFGHIJ-2345', 1))?.number).toBe(1);
    expect(readOwnName(`berth/base:${'0a'.repeat(20)}`)).toBeDefined();
    expect(readOwnName('berth/base:latest')).toBeUndefined();
    expect(readOwnName('berth/jupyternotebook:latest')).toBeUndefined();
    expect(readOwnName('other/abcdefghij12345:7')).toBeUndefined();
  });

  it('that a deployment gave to what it pulled anew are ours, of the same build, and told from each other', () => {
    const own = ownTag('abcdefghij12345', 7);
    const tag = freshTag(own, { workspaceId: 'w23456789012345', generation: 3 });
    expect(tag).toBe('berth/abcdefghij12345:7-w23456789012345-3');
    expect([tag, own, 'x/y:7-w23456789012345-3'].map(isFreshTag)).toEqual([true, false, false]);
    expect(readOwnName(tag)).toEqual(readOwnName(own));
    expect(isFreshTag(freshTag(own, { workspaceId: 'Ä-2', generation: 3 }))).toBe(true);
    const next = freshTag(ownTag('abcdefghij12345', 8), { workspaceId: 'w23456789012345', generation: 4 });
    const others = [own, freshTag(own, { workspaceId: 'w00000000000000', generation: 3 })];
    expect(olderFreshTags(next, [next, tag, ...others])).toEqual([tag]);
  });
});
