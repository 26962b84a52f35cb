import { describe, expect, it } from 'vitest';
import { parseEnv } from './env';

const appsDomain = (domain: string | undefined, publicUrl?: string) =>
  parseEnv({ BERTH_APPS_DOMAIN: domain, BERTH_PUBLIC_URL: publicUrl }).appsDomain;

describe('the domain of ports', () => {
  it('is localhost for a console that is reached there over plain http, with its port', () => {
    expect(appsDomain(undefined)).toBe('localhost:3000');
    expect(parseEnv({ PORT: '8080' }).appsDomain).toBe('localhost:8080');
    for (const [url, domain] of [
      ['http://localhost', 'localhost'],
      ['http://localhost:8080/', 'localhost:8080'],
      ['http://127.0.0.1:3000', 'localhost:3000'],
      ['http://[::1]:3000', 'localhost:3000'],
    ] as const) {
      expect(appsDomain(undefined, url)).toBe(domain);
    }
  });

  it('is none for any other console, as the link would lead people to their own machines', () => {
    for (const url of [
      'https://localhost:3000',
      'http://berth.lab',
      'https://berth.example.org',
      'http://10.0.0.7:3000',
    ]) {
      expect(appsDomain(undefined, url)).toBe('');
    }
    // Which port that will be is not known yet.
    expect(parseEnv({ PORT: '0' }).appsDomain).toBe('');
  });

  it('is what was set, in lower case; nothing set is nothing, and off is off', () => {
    expect(appsDomain('Apps.Example.net', 'https://berth.example.org')).toBe('apps.example.net');
    expect(appsDomain('apps.lab:8443', 'https://berth.example.org')).toBe('apps.lab:8443');
    expect(appsDomain('off')).toBe('');
    expect(appsDomain('', 'https://berth.example.org')).toBe('');
  });

  it.each([
    ...[
      'https://apps.lab',
      '*.apps.lab',
      'apps.lab/',
      'apps..lab',
      '-apps.lab',
      'apps_lab',
      'apps.lab.',
      'a b',
      'user@lab',
    ],
    ...[
      '10.0.0.7',
      '[::1]',
      'apps.lab:0',
      'apps.lab:65536',
      'apps.lab:',
      `${'a'.repeat(64)}.lab`,
      'a.'.repeat(101) + 'lab',
    ],
  ])('is never %s', (domain) => {
    expect(() => appsDomain(domain)).toThrow('BERTH_APPS_DOMAIN: must be a domain name');
  });
});

describe('name servers', () => {
  it('are addresses, with a port if need be', () => {
    const servers = (list: string) => parseEnv({ BERTH_DNS_SERVERS: list }).dnsServers;
    expect(servers('')).toEqual([]);
    const all = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:53'];
    expect(servers(all.join(', '))).toEqual(all);
    for (const wrong of ['dns.example.org', '192.0.2', '192.0.2.1:0', '192.0.2.1:70000', '[192.0.2.1', '192.0.2.1;']) {
      expect(() => servers(wrong)).toThrow('BERTH_DNS_SERVERS');
    }
  });
});
