import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WorkspaceRecord } from '@/components/data/types';
import { addressesOf } from './addresses';

const port = (containerPort: number, hostPort: number, rest: object = {}) => ({
  containerPort,
  hostPort,
  hostIp: '0.0.0.0',
  protocol: 'tcp',
  ...rest,
});
const workspace = (observedPorts: object[] | null, status = 'running') =>
  ({ status, observedPorts }) as unknown as WorkspaceRecord;

beforeEach(() => {
  vi.stubGlobal('window', { location: { hostname: 'console.example.org' } });
  return () => vi.unstubAllGlobals();
});

describe('addresses of a workspace', () => {
  it('lead to the published tcp ports, each once', () => {
    const ports = [port(80, 8080), port(80, 8080, { hostIp: '::' }), port(53, 5353, { protocol: 'udp' }), port(22, 0)];
    expect(addressesOf(workspace(ports))).toEqual([{ port: 80, url: 'http://console.example.org:8080' }]);
  });

  it('name the interface where the port is bound to one', () => {
    const ports = [port(80, 8080, { hostIp: '10.0.0.7' }), port(81, 8081, { hostIp: 'fd00::7' })];
    expect(addressesOf(workspace(ports)).map(({ url }) => url)).toEqual([
      'http://10.0.0.7:8080',
      'http://[fd00::7]:8081',
    ]);
  });

  it('name the host as it is reached, where it says so', () => {
    const ports = [port(80, 8080, { address: 'hopper.lab' }), port(81, 8081, { address: 'fd00::7' })];
    expect(addressesOf(workspace(ports)).map(({ url }) => url)).toEqual([
      'http://hopper.lab:8080',
      'http://[fd00::7]:8081',
    ]);
  });

  it('are none while it does not run', () => {
    expect(addressesOf(workspace([port(80, 8080)], 'stopped'))).toEqual([]);
    expect(addressesOf(workspace(null))).toEqual([]);
  });
});
