import { describe, expect, it } from 'vitest';
import { appKey, appOrigin, type AppsPlace, readAppHost } from './app-address';

const id = 'abcdefghijklmno';
const here: AppsPlace = { scheme: 'http', domain: 'localhost:3000' };
const far: AppsPlace = { scheme: 'https', domain: 'apps.example.org' };
const app = { workspace: id, port: 8888 };

describe('the address of a port', () => {
  it('is an origin of its own', () => {
    expect(appOrigin(here, app)).toBe(`http://8888--${id}.localhost:3000`);
    expect(appKey(here, app)).toBe(`http://8888--${id}.localhost`);
    expect(appOrigin(far, app)).toBe(`https://8888--${id}.apps.example.org`);
    expect(appOrigin({ scheme: 'https', domain: 'a.b:443' }, app)).toBe(`https://8888--${id}.a.b`);
  });

  it.each([
    [`8888--${id}.localhost:3000`, true],
    [`8888--${id.toUpperCase()}.LOCALHOST:3000`, true],
    [`8888--${id}.localhost`, false],
    [`8888--${id}.localhost:80`, false],
    [`8888--${id}.localhost.:3000`, false],
    [`8888--${id}.localhost..:3000`, false],
  ])('is read of the host %s', (host, isCanonical) => {
    expect(readAppHost(host, here)).toMatchObject({ app, isCanonical });
  });

  it.each([
    `0--${id}`,
    `65536--${id}`,
    `08888--${id}`,
    `8888-${id}`,
    `8888--${id}x`,
    `8888--${id}.x`,
    `x.8888--${id}`,
    '',
    '.',
    `8888--${id.slice(1)}ß`,
  ])('is no other name under the domain: %s', (label) => {
    expect(readAppHost(`${label}.localhost:3000`, here)?.app).toBeUndefined();
    expect(readAppHost(`${label}.localhost:3000`, here)).toBeDefined();
  });

  it.each([
    'localhost:3000',
    'localhost',
    '127.0.0.1:3000',
    'berth.example.org',
    `8888--${id}.localhost.evil.org`,
    `8888--${id}localhost`,
    '[::1]:3000',
    '',
  ])('is not %s, which the console answers', (host) => expect(readAppHost(host, here)).toBeUndefined());
});
