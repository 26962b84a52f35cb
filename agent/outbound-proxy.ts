import type { Agent as HttpAgent } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';
import type { Dispatcher } from 'undici';
import { Agent, ProxyAgent } from './undici';

export interface ProxySettings {
  httpsProxy?: string | undefined;
  httpProxy?: string | undefined;
  noProxy?: string | undefined;
}

/** How the console is dialled: calls through `dispatcher`, the live link through `linkAgent`. */
export interface Route {
  dispatcher: Dispatcher;
  /** Undefined dials directly. */
  linkAgent: HttpAgent | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Calls and link go the same way: through a tunnel of the proxy that the settings name for this address, or directly. */
export function createRoute(consoleUrl: string, settings: ProxySettings = {}): Route {
  const proxyUrl = chooseProxy(consoleUrl, settings);
  const connect = { timeout: CONNECT_TIMEOUT_MS };
  if (!proxyUrl) return { dispatcher: new Agent({ connect }), linkAgent: undefined };
  return {
    dispatcher: new ProxyAgent({ uri: proxyUrl, proxyTunnel: true, requestTls: connect, proxyTls: connect }),
    linkAgent: new HttpsProxyAgent(proxyUrl),
  };
}

/** The proxy for an address, by the customs of HTTPS_PROXY, HTTP_PROXY and NO_PROXY; undefined when there is none. */
export function chooseProxy(
  address: string,
  { httpsProxy, httpProxy, noProxy = '' }: ProxySettings,
): string | undefined {
  const url = new URL(address);
  const proxyUrl = (url.protocol === 'https:' ? httpsProxy : httpProxy) || undefined;
  if (!proxyUrl) return undefined;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const host = url.hostname.toLowerCase();
  const isExempt = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && exempts(entry, { host, port }));
  if (isExempt) return undefined;
  return proxyUrl.includes('://') ? proxyUrl : `http://${proxyUrl}`;
}

/** `*`, `example.org` (itself and what is below), `.example.org` and `*.example.org` likewise, each with `:port` or without. */
function exempts(entry: string, { host, port }: { host: string; port: string }): boolean {
  if (entry === '*') return true;
  const [, name = '', entryPort] = /^(.*?|\[.*\])(?::(\d+))?$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const suffix = name.replace(/^\*?\./, '');
  return host === suffix || host.endsWith(`.${suffix}`);
}
