import { describe, expect, it } from 'vitest';
import { pairsOf, toApp, toBrowser, valuesOf } from './headers';

const ownCookies = new Set(['berth-auth', '__Host-berth-auth', 'berth_session']);
const said = { ownCookies, client: '10.0.0.9', host: 'a.test', scheme: 'https', username: 'ada' };
const namesOf = (raw: readonly string[]) => [...pairsOf(raw)].map(([lower]) => lower);

describe('what a workspace hears', () => {
  it.each([
    ...['X-Forwarded-User', 'x_forwarded_user', 'X-Forwarded_User', 'X-FORWARDED-ANYTHING', 'Forwarded', 'X-Real-IP'],
    ...[
      'Remote-User',
      'REMOTE_USER',
      'X-Remote-Groups',
      'X-Auth-Request-User',
      'X-WebAuth-User',
      'x_berth_user',
      'Via',
    ],
    ...['Connection', 'Keep-Alive', 'TE', 'Transfer-Encoding', 'Upgrade', 'Proxy-Authorization', 'X-Named'],
  ])('is nothing that a client says by %s', (name) => {
    const passed = toApp([name, 'root', 'Connection', 'close, x-named'], { ...said, username: '' });
    expect(passed).not.toContain('root');
    expect(passed).not.toContain('close, x-named');
  });

  it('is who comes, and from where', () => {
    const passed = toApp(['Host', 'evil', 'Accept', 'x', 'X-A', '1', 'x-a', '2'], said);
    expect(passed.slice(0, 8)).toEqual(['Host', 'a.test', 'Accept', 'x', 'X-A', '1', 'x-a', '2']);
    expect(valuesOf(passed, 'x-forwarded-user')).toEqual(['ada']);
    expect(valuesOf(passed, 'x-forwarded-for')).toEqual(['10.0.0.9']);
    expect(valuesOf(passed, 'host')).toEqual(['a.test']);
    expect(namesOf(toApp([], { ...said, username: '' }))).not.toContain('x-forwarded-user');
  });

  it('is never a cookie of Berth', () => {
    const cookies = [
      'Cookie',
      'a=1; berth-auth=x;berth_session = y',
      'cookie',
      '__Host-berth-auth=z; b="2=3"; berth-auth',
    ];
    expect(valuesOf(toApp(cookies, said), 'cookie')).toEqual(['a=1; b="2=3"']);
    expect(valuesOf(toApp(['Cookie', 'berth-auth=x'], said), 'cookie')).toEqual([]);
  });
});

describe('what a browser hears', () => {
  it('is a cookie for the very host, and none in the name of Berth', () => {
    const raw = [
      ...['Set-Cookie', 'a=1; Domain=.example.org; Path=/', 'set-cookie', 'b=domain=x;domain = example.org;HttpOnly'],
      ...['Set-Cookie', 'berth-auth=x', 'Set-Cookie', ' berth_session =x', 'Set-Cookie', 'c=1;DOMAIN'],
    ];
    expect(valuesOf(toBrowser(raw, ownCookies), 'set-cookie')).toEqual(['a=1; Path=/', 'b=domain=x;HttpOnly', 'c=1']);
  });

  it('is nothing that reaches beyond the origin, or is of one connection', () => {
    const raw = [
      'Clear-Site-Data',
      '"*"',
      'Alt-Svc',
      'h3=":1"',
      'Connection',
      'X-Hop',
      'X-Hop',
      '1',
      'Transfer-Encoding',
      'chunked',
      'ETag',
      'e',
    ];
    expect(namesOf(toBrowser(raw, ownCookies))).toEqual(['etag']);
  });
});
