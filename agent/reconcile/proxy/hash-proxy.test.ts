import { expect, it } from 'vitest';
import type { ProxySpec } from '../../../lib/protocol/specs/proxy';
import { hashProxy } from './hash-proxy';

const spec: ProxySpec = {
  image: { reference: 'traefik:v3', tag: 'berth/base:1', pullTimeoutMs: 0 },
  containerName: 'traefik',
  networkName: 'web',
  ports: [
    { containerPort: 80, hostPort: 80, protocol: 'tcp' },
    { containerPort: 443, hostPort: 443, protocol: 'tcp' },
  ],
  config: '[api]\n',
  folder: '/etc/traefik',
  socketPath: '',
};

it('is the same for what makes the same container', () => {
  const account = { serveraddress: 'r', username: 'u', password: 'p' };
  const image = { ...spec.image, account, tag: 'berth/base:2', pullTimeoutMs: 9 };
  expect(hashProxy({ ...spec, image, ports: spec.ports.toReversed() })).toBe(hashProxy(spec));
});

it('is another for everything that a container is made from', () => {
  const others: Partial<ProxySpec>[] = [
    { image: { ...spec.image, reference: 'traefik:v3.1' } },
    { containerName: 'other' },
    { networkName: 'other' },
    { ports: [] },
    { ports: spec.ports.map((port) => ({ ...port, protocol: 'udp' as const })) },
    { config: '[api]\ninsecure = true\n' },
    { folder: '/srv/traefik' },
    { socketPath: '/var/run/docker.sock' },
  ];
  const hashes = [spec, ...others.map((other) => ({ ...spec, ...other }))].map(hashProxy);
  expect(new Set(hashes).size).toBe(others.length + 1);
});
