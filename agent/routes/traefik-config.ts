import { createHash } from 'node:crypto';
import type { ReverseProxySpec, RouteSpec } from '../../lib/protocol/specs/route';
import { EngineError } from '../engines/engine-error';

/** What a client may not say of itself to a workspace: who logged in is the proxy's word alone. */
const STRIPPED = ['X-Forwarded-User', 'X_Forwarded_User', 'X-Forwarded_User', 'X_Forwarded-User'];
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?:\/[A-Za-z0-9._~%/-]*)?$/;
const FINGERPRINT_CHARS = 10;

export interface RoutesOf {
  hostId: string;
  workspaceId: string;
  routes: readonly RouteSpec[];
  proxy: ReverseProxySpec;
}

interface Router {
  rule: string;
  entryPoints: string[];
  service: string;
  middlewares: string[];
  tls?: { certResolver?: string };
}

type Service = { loadBalancer: { server: { port: number } } } | { loadBalancer: { servers: { url: string }[] } };

type Middleware =
  | { headers: { customRequestHeaders: Record<string, string> } }
  | { basicAuth: { users: string[]; removeHeader: boolean } }
  | { forwardAuth: { address: string; trustForwardHeader: boolean; authResponseHeaders: string[] } };

/** Traefik's dynamic configuration, as its providers have it. */
export interface TraefikConfig {
  http: {
    routers: Record<string, Router>;
    services: Record<string, Service>;
    middlewares: Record<string, Middleware>;
  };
}

/**
 * One router for each route, behind whatever protects it; `address` is the container's, left out where Traefik asks the
 * engine for it. Names come from the content: what says the same has the same name, and an old and a new container of one
 * workspace never quarrel over one. Throws where the host's settings can't be said to Traefik.
 */
export function toTraefikConfig(of: RoutesOf, address?: string): TraefikConfig {
  const config: TraefikConfig = { http: { routers: {}, services: {}, middlewares: {} } };
  const { routers, services, middlewares } = config.http;
  of.routes.forEach((route, index) => {
    const router = toRouter(route, of.proxy);
    const guards = toGuards(route, of.proxy);
    const name = nameOf(of, index, { route, router, guards });
    const strip = { headers: { customRequestHeaders: fromNames(strippedBy(guards)) } };
    const chain = Object.entries({ strip, ...guards }).map(([part, each]) => [`${name}-${part}`, each] as const);
    Object.assign(middlewares, Object.fromEntries(chain));
    services[name] = toService(route.port, address);
    routers[name] = { ...router, service: name, middlewares: chain.map(([full]) => full) };
  });
  return config;
}

function toRouter({ scheme, hostName }: RouteSpec, { entryPoint, certResolver }: ReverseProxySpec) {
  const entryPoints = entryPoint.split(',').map((name) => plain(name.trim(), 'entry point'));
  return {
    rule: `Host(\`${hostName}\`)`,
    entryPoints,
    ...(scheme === 'https' && { tls: { certResolver: plain(certResolver, 'certificate resolver') } }),
  };
}

/** What stands before a route, by the end of its name, in order. */
function toGuards(
  { protection }: RouteSpec,
  { forwardAuth, furtherAuth }: ReverseProxySpec,
): Record<string, Middleware> {
  switch (protection.kind) {
    case 'none':
      return {};
    case 'basic':
      // What lets people in here is not for the workspace to see.
      return {
        auth: { basicAuth: { users: protection.users.map(({ name, hash }) => `${name}:${hash}`), removeHeader: true } },
      };
    case 'forwardAuth': {
      const auth = toForwardAuth({ address: forwardAuth, authResponseHeaders: ['X-Forwarded-User'] });
      return {
        auth,
        ...Object.fromEntries(furtherAuth.map((server, at) => [`auth-${at + 2}`, toForwardAuth(server)])),
      };
    }
  }
}

type Asked = Pick<ReverseProxySpec['furtherAuth'][number], 'address' | 'authResponseHeaders'> & {
  trustForwardHeader?: boolean;
};

function toForwardAuth({ address, authResponseHeaders, trustForwardHeader = false }: Asked): Middleware {
  if (!PLAIN_URL.test(address)) throw new EngineError('invalid', NOBODY_TO_ASK);
  return { forwardAuth: { address, trustForwardHeader, authResponseHeaders } };
}

/** What a server answers about somebody is its word alone, in either spelling. */
function strippedBy(guards: Readonly<Record<string, Middleware>>): string[] {
  const said = Object.values(guards).flatMap((guard) =>
    'forwardAuth' in guard ? guard.forwardAuth.authResponseHeaders : [],
  );
  return [...new Set([...STRIPPED, ...said, ...said.map((name) => name.replaceAll('-', '_'))])];
}

const NOBODY_TO_ASK = 'The console has not said whom to ask about log-ins: check its address in the settings';

function toService(port: number, address: string | undefined): Service {
  if (address === undefined) return { loadBalancer: { server: { port } } };
  return { loadBalancer: { servers: [{ url: `http://${address}:${port}` }] } };
}

function nameOf({ hostId, workspaceId }: RoutesOf, index: number, content: object): string {
  const said = createHash('sha256').update(JSON.stringify([hostId, workspaceId, index, content]));
  return `berth-${workspaceId.toLowerCase()}-${index}-${said.digest('hex').slice(0, FINGERPRINT_CHARS)}`;
}

function fromNames(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '']));
}

/** Names of a host's settings end up in lists with commas, and in files that Traefik reads as templates. */
function plain(name: string, what: string): string {
  if (PLAIN.test(name)) return name;
  throw new EngineError(
    'invalid',
    `The ${what} of the host's reverse proxy is not a plain name: “${name.slice(0, 50)}”`,
  );
}
