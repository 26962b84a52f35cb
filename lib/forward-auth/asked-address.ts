import 'server-only';
import type { RequestContext } from '@/lib/http/context';
import { forwardAuthSetting } from '@/lib/settings/forward-auth';

/** The request that a proxy asks about. */
export interface AskedAddress {
  scheme: 'http' | 'https';
  /** As external addresses are known: `scheme://host`, lower case, without port and closing dot. */
  key: string;
  host: string;
  /** `scheme://host:port`, the port only where it is not the scheme's own. */
  origin: string;
  /** Path and query, byte for byte. */
  uri: string;
  method: string;
  /** Whether browsers keep its cookies under the very same host: not with a closing dot. */
  isCanonical: boolean;
  /** Whether it is at a port where proxies serve addresses: anything may listen at others of the same host. */
  isAtProxy: boolean;
}

const SCHEMES: Readonly<Record<string, AskedAddress['scheme']>> = {
  http: 'http',
  https: 'https',
  ws: 'http',
  wss: 'https',
};
const OWN_PORTS = { http: '80', https: '443' } as const;
const HOST = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(\.?)(?::(\d{1,5}))?$/;
/** What browsers send: visible characters, and no fragment. */
const URI = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * What the proxy's headers say of the request: X-Forwarded-Proto, -Host, -Uri and -Method, each once; nothing else is
 * believed. Undefined where they name no address.
 */
export function readAskedAddress(context: Pick<RequestContext, 'header'>): AskedAddress | undefined {
  const scheme = SCHEMES[context.header('x-forwarded-proto').toLowerCase()];
  const host = HOST.exec(context.header('x-forwarded-host').toLowerCase());
  const uri = context.header('x-forwarded-uri');
  const method = context.header('x-forwarded-method').toUpperCase() || 'GET';
  if (!scheme || !host || !URI.test(uri)) return undefined;
  const [, name = '', dot, port = ''] = host;
  const isOwnPort = port === '' || port === OWN_PORTS[scheme];
  const isAtProxy = isOwnPort || forwardAuthSetting().ports.includes(Number(port));
  const key = `${scheme}://${name}`;
  const origin = isOwnPort ? key : `${key}:${Number(port)}`;
  return { scheme, key, host: name, origin, uri, method, isCanonical: dot === '', isAtProxy };
}

/** Whether someone looks at the answer: a page that is opened, not what a page or a program asks for. */
export function isPageOpened(context: Pick<RequestContext, 'header'>, { method }: AskedAddress): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (!context.header('accept').includes('text/html')) return false;
  if (context.header('x-requested-with').toLowerCase() === 'xmlhttprequest') return false;
  const mode = context.header('sec-fetch-mode');
  return mode === '' || mode === 'navigate';
}
