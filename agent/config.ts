import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { LogLevel } from './log';

const envSchema = z.object({
  BERTH_CONSOLE_URL: z.url({ protocol: /^https?$/, error: 'must be the http(s) address of the console' }),
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
  DOCKER_HOST: z.string().optional(),
  DOCKER_CERT_PATH: z.string().optional(),
  HTTPS_PROXY: z.string().optional(),
  HTTP_PROXY: z.string().optional(),
  NO_PROXY: z.string().optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export interface AgentSettings {
  consoleUrl: string;
  joinToken: string | undefined;
  /** Absolute; read, and read again, until the host has joined. */
  joinTokenFile: string | undefined;
  hostName: string;
  /** Absolute. */
  stateDir: string;
  engine: 'docker' | 'simulated';
  /** Absolute folders that bind mounts may lie under. */
  bindRoots: string[];
  dockerHost: string | undefined;
  dockerCertPath: string | undefined;
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
  return {
    consoleUrl: raw.BERTH_CONSOLE_URL.replace(/\/+$/, ''),
    joinToken: raw.BERTH_JOIN_TOKEN,
    joinTokenFile: raw.BERTH_JOIN_TOKEN_FILE && path.resolve(raw.BERTH_JOIN_TOKEN_FILE),
    hostName: raw.BERTH_HOST_NAME ?? hostname(),
    stateDir: path.resolve(raw.BERTH_AGENT_STATE_DIR),
    engine: raw.BERTH_ENGINE === 'simulated' ? 'simulated' : 'docker',
    bindRoots: raw.BERTH_BIND_ROOTS.split(':')
      .filter(Boolean)
      .map((root) => path.resolve(root)),
    dockerHost: raw.DOCKER_HOST,
    dockerCertPath: raw.DOCKER_CERT_PATH,
    proxy: { httpsProxy: raw.HTTPS_PROXY, httpProxy: raw.HTTP_PROXY, noProxy: raw.NO_PROXY },
    logLevel: raw.LOG_LEVEL,
  };
}

function definedOf(source: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined));
}
