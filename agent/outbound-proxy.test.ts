import { describe, expect, it } from 'vitest';
import { chooseProxy } from './outbound-proxy';

const both = { httpsProxy: 'http://secure:1', httpProxy: 'plain:2' };

describe('the proxy for the console', () => {
  it.each([
    ['https://berth.example.org', '', 'http://secure:1'],
    ['http://berth.example.org', '', 'http://plain:2'],
    ['https://berth.example.org', 'example.com, other.org', 'http://secure:1'],
    ['https://berth.example.org', 'berth.example.org', undefined],
    ['https://berth.example.org', 'EXAMPLE.org', undefined],
    ['https://berth.example.org', '.example.org', undefined],
    ['https://berth.example.org', '*.example.org', undefined],
    ['https://berth.notexample.org', 'example.org', 'http://secure:1'],
    ['https://berth.example.org', 'example.org:8443', 'http://secure:1'],
    ['https://berth.example.org:8443', 'example.org:8443', undefined],
    ['http://10.0.0.7:3000', '10.0.0.7', undefined],
    ['http://[::1]:3000', '[::1]:3000', undefined],
    ['https://berth.example.org', '*', undefined],
  ])('%s with NO_PROXY "%s" is %s', (address, noProxy, expected) => {
    expect(chooseProxy(address, { ...both, noProxy })).toBe(expected);
  });

  it('is none where no variable names one', () => {
    expect(chooseProxy('https://berth.example.org', { httpProxy: 'http://plain:2' })).toBeUndefined();
    expect(chooseProxy('https://berth.example.org', {})).toBeUndefined();
  });
});
