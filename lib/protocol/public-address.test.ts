import { describe, expect, it } from 'vitest';
import { describeFetch, isPublicAddress } from './public-address';

describe('addresses that builds may fetch from', () => {
  it.each([
    'http://example.org/a',
    'https://example.org:8443/v$V/x',
    'https://93.184.216.34/',
    'http://[2606:4700::1]/',
  ])('takes %s', (source) => expect(describeFetch(source)).toBe(''));

  it.each([
    'http://127.0.0.1/secret',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://localhost:8080/',
    'http://registry/v2/',
    'http://db.internal/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://user@127.0.0.1/',
    'http://example.org@127.0.0.1/',
    'http://$HOST/x',
    '$URL',
    'http:\\\\127.0.0.1/',
    'git://example.org/x.git',
    'git@example.org:x.git',
  ])('refuses %s', (source) => expect(describeFetch(source)).not.toBe(''));

  it('are those of the internet', () => {
    expect(['8.8.8.8', '2606:4700::1111'].map(isPublicAddress)).toEqual([true, true]);
    const inside = [
      '10.1.2.3',
      '172.17.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '0.0.0.0',
      'fe80::1',
      'fd00::1',
      '::',
      '64:ff9b::7f00:1',
    ];
    expect(inside.map(isPublicAddress)).toEqual(inside.map(() => false));
  });
});
