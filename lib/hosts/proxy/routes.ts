import 'server-only';
import { AppError } from '@/lib/errors';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { nvidiaReportSchema, type OpenTraefik, traefikReportSchema } from '@/lib/protocol/proxy-streams';
import { isEngineName } from '@/lib/vocabulary/proxy-names';
import type { HostRow } from '../collection';
import { askHost } from '../link/ask-host';
import { requireModify } from '../require-modify';
import { isDeployed } from './put-proxy';
import { readTraefikConfig } from './traefik-config';

const USUAL_API_PORT = 8080;

/** Which container to ask: Berth's own Traefik, or the one that routers are made for. Throws `conflict` without any. */
function findTraefik({ traefik, reverse_proxy: proxy }: HostRow): OpenTraefik {
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

export const proxyRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/traefik',
    summary: 'What a host’s Traefik says of itself and its routers, asked now',
    guard: requireModify,
    answer: traefikReportSchema,
    handle: ({ context: { signal }, caller }) =>
      askHost(caller.id, findTraefik(caller), { schema: traefikReportSchema, signal }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/nvidia',
    summary: 'What a host has of NVIDIA’s driver, cards and container toolkit, looked at now',
    guard: requireModify,
    answer: nvidiaReportSchema,
    handle: ({ context: { signal }, caller: { id } }) =>
      askHost(id, { kind: 'nvidia' }, { schema: nvidiaReportSchema, signal }),
  }),
];
