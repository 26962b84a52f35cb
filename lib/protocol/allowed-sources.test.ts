import { describe, expect, it } from 'vitest';
import { AllowedSources, isSourceList, listSources } from './allowed-sources';

const none = new AllowedSources([]);
const some = new AllowedSources(listSources('10.1.0.0/16, files.corp ::1'));

describe('sources of files', () => {
  it.each([
    'http://127.0.0.1/x',
    'http://localhost:3000/x',
    'http://[::1]/x',
    'http://169.254.169.254/latest/meta-data',
    'http://10.1.2.3/x',
    'http://0x7f000001/x',
    'http://2130706433/x',
    'http://user:pw@example.org/x',
    'file:///etc/passwd',
    'ftp://example.org/x',
    'http://files.corp@127.0.0.1/x',
  ])('of the own network and without http are refused: %s', (url) => {
    expect(none.describe(url)).not.toBe('');
  });

  it('are those of the internet, and what was allowed', () => {
    expect(none.describe('https://example.org/x?y#z')).toBe('');
    for (const url of ['http://10.1.2.3:8080/x', 'http://files.corp/x', 'http://FILES.corp/x', 'http://[::1]:80/x']) {
      expect(some.describe(url), url).toBe('');
    }
    for (const url of [
      'http://10.2.0.1/',
      'http://other.corp.local/',
      'http://files.corp.local/',
      'http://u@files.corp/',
    ]) {
      expect(some.describe(url), url).not.toBe('');
    }
  });

  it('are looked at again by address', () => {
    expect(none.allows('example.org', '93.184.215.14')).toBe(true);
    expect(none.allows('example.org', '127.0.0.1')).toBe(false);
    expect(none.allows('example.org', '::ffff:127.0.0.1')).toBe(false);
    expect(some.allows('example.org', '10.1.9.9')).toBe(true);
    expect(some.allows('files.corp', '192.168.0.1')).toBe(true);
    expect(some.allows('example.org', '192.168.0.1')).toBe(false);
  });

  it('are named as hosts, addresses and ranges', () => {
    for (const text of ['', '10.0.0.0/8', '10.0.0.1,fd00::/8', 'files.corp'])
      expect(isSourceList(text), text).toBe(true);
    for (const text of ['10.0.0.0/33', '10.0.0', 'http://x', 'a b/c', '::/129'])
      expect(isSourceList(text), text).toBe(false);
  });
});
