import { expect, it } from 'vitest';
import type { HostRecord } from '@/components/data/types';
import {
  nvidiaFormSchema,
  reverseProxyFormSchema,
  toNvidia,
  toReverseProxy,
  toTraefik,
  toTraefikBody,
  traefikFormSchema,
} from './proxy-schema';

const host = { reverse_proxy: null, nvidia_driver: null, traefik: null } as unknown as HostRecord;
const problemsOf = (result: { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined }) =>
  Object.fromEntries((result.error?.issues ?? []).map(({ path, message }) => [path.slice(1).join('.'), message]));

it('asks for what is needed once something is added', () => {
  const { reverse_proxy } = toReverseProxy(host);
  expect(reverseProxyFormSchema.safeParse({ reverse_proxy }).success).toBe(true);
  const added = reverseProxyFormSchema.safeParse({ reverse_proxy: { ...reverse_proxy, isAdded: true } });
  expect(problemsOf(added)).toEqual({ type: 'required' });
  const { nvidia_driver } = toNvidia(host);
  expect(problemsOf(nvidiaFormSchema.safeParse({ nvidia_driver: { ...nvidia_driver, isAdded: true } }))).toEqual({
    toolkitVersion: 'required',
    driverVersion: 'required',
  });
});

it('reads ports as they are typed', () => {
  const { traefik } = toTraefik(host);
  const row = { containerPort: '80', hostPort: '', protocol: 'tcp' as const };
  const ports = [row, { ...row, hostPort: '8080' }, { ...row, hostPort: '8080' }, { ...row, containerPort: '0x50' }];
  expect(problemsOf(traefikFormSchema.safeParse({ traefik: { ...traefik, ports } }))).toEqual({
    'ports.3.containerPort': 'invalidContainerPort',
  });
  const added = { ...traefik, isAdded: true, image: 'traefik', containerName: 'a', networkName: 'b', config: 'c' };
  const twice = { ...added, configFileLocation: '/etc/traefik', ports: ports.slice(0, 3) };
  expect(problemsOf(traefikFormSchema.safeParse({ traefik: twice }))).toEqual({
    'ports.2.hostPort': 'duplicateHostPort',
  });
  const body = toTraefikBody({ traefik: { ...twice, ports: ports.slice(0, 2) } }) as { traefik: { ports: unknown } };
  expect(body.traefik.ports).toEqual([
    { containerPort: 80, hostPort: 0, protocol: 'tcp' },
    { containerPort: 80, hostPort: 8080, protocol: 'tcp' },
  ]);
});
