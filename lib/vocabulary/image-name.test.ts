import { describe, expect, test } from 'vitest';
import { defaultRepository, isRepository, isTag, parseImageName } from './image-name';

describe('parseImageName', () => {
  test.each([
    ['ubuntu', 'ubuntu', ''],
    ['ubuntu:24.04', 'ubuntu', '24.04'],
    ['registry.example.com:5000/team/app:1', 'registry.example.com:5000/team/app', '1'],
    ['localhost/app', 'localhost/app', ''],
    [`app@sha256:${'a'.repeat(64)}`, 'app', ''],
    ['a__b/c-d.e_f', 'a__b/c-d.e_f', ''],
  ])('reads %s', (name, repository, tag) => expect(parseImageName(name)).toMatchObject({ repository, tag }));

  test.each([
    '',
    'Ubuntu',
    'a b',
    'a:',
    `a:${'x'.repeat(129)}`,
    'a//b',
    '-a',
    'host:0/a',
    'host:70000/a',
    'a@sha256:12',
    'a;rm',
    'a:$(x)',
    '-host.com/a',
  ])('refuses %s', (name) => expect(parseImageName(name)).toBeUndefined());
});

test('a built image is kept under the slug of its name', () => {
  expect(defaultRepository('My Émage  (v2)!')).toBe('berth/my-e-mage-v2');
  expect(defaultRepository('!!!')).toBe('berth/image');
  expect(isRepository(defaultRepository('x'.repeat(300)))).toBe(true);
  expect([isTag('latest'), isTag('a b'), isTag('')]).toEqual([true, false, false]);
});
