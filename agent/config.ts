import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { CONSOLE_KEY } from './console/answer-check';
import { isSourceList, listSources, NO_SOURCES } from '../lib/protocol/allowed-sources';
import { NO_RANGE, parseRange } from '../lib/protocol/ipv4-range';
import type { LogLevel } from './log';

const envSchema = z.object({
  BERTH_CONSOLE_URL: z.url({ protocol: /^https?$/, error: 'must be the http(s) address of the console' }),
  BERTH_CONSOLE_KEY: z.string().regex(CONSOLE_KEY, 'must be the key that the Hosts page shows').optional(),
  BERTH_ALLOW_HTTP: z.enum(['0', '1']).default('0'),
  BERTH_JOIN_TOKEN: z.string().optional(),
  BERTH_JOIN_TOKEN_FILE: z.string().optional(),
  BERTH_HOST_NAME: z.string().min(1).max(100).optional(),
  BERTH_AGENT_STATE_DIR: z.string().default('./agent-state'),
  BERTH_ENGINE: z
    .enum(['docker', 'kubernetes', 'simulated'])
    .default('docker')
    .refine(
      (engine) => engine !== 'kubernetes',
      'kubernetes is not supported by this agent yet; use docker or simulated',
    ),
  BERTH_BIND_ROOTS: z.string().default(''),
  BERTH_ALLOWED_SOURCES: z.string().refine(isSourceList, NO_SOURCES).default(''),
  BERTH_HOST_TERMINAL: z.enum(['0', '1']).default('0'),
  BERTH_NETWORK_POOL: z
    .string()
    .refine((pool) => parseRange(pool), NO_RANGE)
    .optional(),
  DOCKER_HOST: z.string().optional(),
  DOCKER_CERT_PATH: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  HTTP_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export interface AgentSettings {
  consoleUrl: string;
  consoleKey: string | undefined;
  joinToken: string | undefined;
  /** Absolute; read, and read again, until the host has joined. */
  joinTokenFile: string | undefined;
  hostName: string;
  /** Absolute. */
  stateDir: string;
  engine: 'docker' | 'simulated';
  /** Absolute folders that bind mounts may lie under. */
  bindRoots: string[];
  /** Hosts and addresses of the own network that builds may fetch files from. */
  allowedSources: string[];
  /** Whether admins of the console may open a shell on this machine. */
  hostTerminal: boolean;
  dockerHost: string | undefined;
  dockerCertPath: string | undefined;
  /** An IPv4 range that the networks of workspaces are cut from. */
  networkPool: string | undefined;
  proxy: { httpsProxy: string | undefined; httpProxy: string | undefined; noProxy: string | undefined };
  logLevel: LogLevel;
}

/** Settings of the agent process. Throws one Error that lists every bad value. NODE_EXTRA_CA_CERTS is Node's own. */
export function parseAgentEnv(source: Record<string, string | undefined>): AgentSettings {
  const lowered = { HTTPS_PROXY: source.https_proxy, HTTP_PROXY: source.http_proxy, NO_PROXY: source.no_proxy };
  const present = Object.entries({ ...lowered, ...definedOf(source) }).filter(([, value]) => value !== '');
  const parsed = envSchema.safeParse(Object.fromEntries(present));
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment has bad values:\n${lines.join('\n')}`);
  }
  const raw = parsed.data;
  if (raw.BERTH_ALLOW_HTTP === '0' && isPlainHttp(raw.BERTH_CONSOLE_URL)) throw new Error(PLAIN_HTTP);
  return {
    consoleUrl: raw.BERTH_CONSOLE_URL.replace(/\/+$/, ''),
    consoleKey: raw.BERTH_CONSOLE_KEY,
    joinToken: raw.BERTH_JOIN_TOKEN,
    joinTokenFile: raw.BERTH_JOIN_TOKEN_FILE && path.resolve(raw.BERTH_JOIN_TOKEN_FILE),
    hostName: raw.BERTH_HOST_NAME ?? hostname(),
    stateDir: path.resolve(raw.BERTH_AGENT_STATE_DIR),
    engine: raw.BERTH_ENGINE === 'simulated' ? 'simulated' : 'docker',
    bindRoots: raw.BERTH_BIND_ROOTS.split(':')
      .filter(Boolean)
      .map((root) => path.resolve(root)),
    hostTerminal: raw.BERTH_HOST_TERMINAL === '1',
    dockerHost: raw.DOCKER_HOST,
    dockerCertPath: raw.DOCKER_CERT_PATH,
    networkPool: raw.BERTH_NETWORK_POOL,
    allowedSources: listSources(raw.BERTH_ALLOWED_SOURCES),
    proxy: { httpsProxy: raw.HTTPS_PROXY, httpProxy: raw.HTTP_PROXY, noProxy: raw.NO_PROXY },
    logLevel: raw.LOG_LEVEL,
  };
}

const PLAIN_HTTP =
  'BERTH_CONSOLE_URL is plain http: whoever is in between reads the join token, secrets and logs. ' +
  'Use https, or set BERTH_ALLOW_HTTP=1 on a network that you trust.';

/** Whether what is said to the console crosses a network unencrypted. */
export function isPlainHttp(consoleUrl: string): boolean {
  const { protocol, hostname: name } = new URL(consoleUrl);
  const isLoopback = name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127\./.test(name);
  return protocol === 'http:' && !isLoopback;
}

function definedOf(source: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}
