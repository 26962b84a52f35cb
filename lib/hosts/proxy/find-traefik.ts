import 'server-only';
import { AppError } from '@/lib/errors';
import type { OpenTraefik } from '@/lib/protocol/proxy-streams';
import { isEngineName } from '@/lib/vocabulary/proxy-names';
import type { HostRow } from '../collection';
import { isDeployed } from './put-proxy';
import { readTraefikConfig } from './traefik-config';

const USUAL_API_PORT = 8080;

/** Which container to ask: Berth's own Traefik, or the one that routers are made for. Throws `conflict` without any. */
export function findTraefik({ traefik, reverse_proxy: proxy }: HostRow): OpenTraefik {
  if (isDeployed(traefik)) {
    return {
      kind: 'traefik',
      containerName: traefik.containerName,
      apiPort: readTraefikConfig(traefik.config).apiPort,
    };
  }
  const named = proxy?.isAdded ? proxy.containerName : '';
  if (isEngineName(named)) return { kind: 'traefik', containerName: named, apiPort: USUAL_API_PORT };
  const words = 'This host has no Traefik to ask: have Berth deploy one, or name its container in the reverse proxy.';
  throw new AppError('conflict', words);
}

const USUAL_PORTS = { http: 80, https: 443 } as const;

/** The ports of a host at which workspaces' addresses are served: the usual ones, unless its own Traefik publishes others. */
export function addressPorts({ traefik, reverse_proxy: proxy }: HostRow): { http: number; https: number } {
  if (!isDeployed(traefik)) return USUAL_PORTS;
  const named = (proxy?.entryPoint ?? '').split(',').map((name) => name.trim().toLowerCase());
  const published = readTraefikConfig(traefik.config)
    .entryPoints.filter(({ name }) => named.includes(name))
    .flatMap(({ name, port }) =>
      traefik.ports
        .filter((each) => each.containerPort === port && each.protocol === 'tcp' && each.hostPort > 0)
        .map(({ hostPort }) => ({ name, port: hostPort })),
    );
  const pick = (usual: number, isNamed: (name: string) => boolean): number => {
    const usually = published.find(({ port }) => port === usual) ?? published.find(({ name }) => isNamed(name));
    return (usually ?? (published.length === 1 ? published[0] : undefined))?.port ?? usual;
  };
  const isSecure = (name: string): boolean => /secure|https|tls/.test(name);
  return { http: pick(USUAL_PORTS.http, (name) => !isSecure(name)), https: pick(USUAL_PORTS.https, isSecure) };
}
