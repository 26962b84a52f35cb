import { describe, expect, test } from 'vitest';
import { clashOf, expandPortMappings, isHostIp, parsePorts } from './ports';
import type { PortMapping } from './workspace';

function mapping(overrides: Partial<PortMapping>): PortMapping {
  return { containerPort: 80, protocol: 'tcp', hostPort: 8080, hostIp: '', ...overrides };
}

describe('parsePorts', () => {
  test.each([
    ['10-20', { first: 10, last: 20 }],
    [0, { first: 0, last: 0 }],
    ['65535', { first: 65_535, last: 65_535 }],
    ['20-10', undefined],
    ['10-10', undefined],
    ['65536', undefined],
    ['-1', undefined],
    ['1-', undefined],
    ['1.5', undefined],
    ['', undefined],
  ])('%s', (text, range) => expect(parsePorts(text)).toEqual(range));
});

describe('clashOf', () => {
  test.each([
    ['overlapping ranges', { hostPort: '8079-8081' }, 8080],
    ['another protocol', { protocol: 'udp' as const }, undefined],
    ['an open port', { hostPort: '' }, undefined],
    ['one address and all of them', { hostIp: '127.0.0.1' }, 8080],
    ['the wildcard address', { hostIp: '0.0.0.0' }, 8080],
  ])('%s', (_, other, port) => expect(clashOf(mapping({}), mapping(other))).toBe(port));

  test('two addresses get along', () => {
    expect(clashOf(mapping({ hostIp: '10.0.0.1' }), mapping({ hostIp: '10.0.0.2' }))).toBeUndefined();
    expect(clashOf(mapping({ hostIp: 'localhost' }), mapping({ hostIp: '127.0.0.1' }))).toBe(8080);
  });
});

test('host addresses are names, addresses or nothing', () => {
  expect(['', 'localhost', '10.0.0.1', '::1', 'a-b.c'].every(isHostIp)).toBe(true);
  expect(['a b', 'x/y', '$(x)'].some(isHostIp)).toBe(false);
});

test('ranges expand in pairs', () => {
  const ports = expandPortMappings([mapping({ containerPort: '1-2', hostPort: '11-12' }), mapping({ hostPort: '' })]);
  expect(ports.map(({ containerPort, hostPort }) => [containerPort, hostPort])).toEqual([
    [1, 11],
    [2, 12],
    [80, 0],
  ]);
});
