import { isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import { isSourceList, listSources, NO_SOURCES } from './protocol/allowed-sources';
import { NO_RANGE, parseRange } from './protocol/ipv4-range';

/** It stands in every generated Dockerfile, and stays in the images. */
const packageAddress = z
  .string()
  .regex(
    /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[\w.~+%-]+)*\/?$/,
    'must be a plain http(s) address without a sign-in',
  )
  .default('');

/** Settings of the console process, from its environment. The only reader of `process.env` on the console's side. */
const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  BERTH_DATA_DIR: z.string().min(1).default('./data'),
  BERTH_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  BERTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  BERTH_NEW_SECRET: z.enum(['accept']).optional(),
  BERTH_UPGRADE_WITHOUT_COPY: z.enum(['accept']).optional(),
  BERTH_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  BERTH_LOCAL_AGENT: z.enum(['auto', 'docker', 'simulated', 'off']).default('auto'),
  BERTH_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  BERTH_MAIL_FROM: z.string().optional(),
  BERTH_STREAMS_PER_ADDRESS: z.coerce.number().int().min(1).default(200),
  BERTH_STREAMS_PER_ACCOUNT: z.coerce.number().int().min(1).default(100),
  BERTH_RECORDS_PER_ACCOUNT: z.coerce.number().int().min(1).default(10_000),
  BERTH_STORAGE_PER_ACCOUNT_MB: z.coerce.number().int().min(1).default(2000),
  BERTH_APPS_DOMAIN: z
    .string()
    .toLowerCase()
    .refine(
      (domain) => domain === 'off' || isAppsDomain(domain),
      'must be a domain name, with a port if need be, or off',
    )
    .optional(),
  BERTH_TRUSTED_PROXIES: z.string().optional(),
  BERTH_DNS_SERVERS: z.string().refine(isServerList, 'must be addresses, with a port if need be').default(''),
  BERTH_JOIN_TOKEN_FILE: z.string().optional(),
  BERTH_AGENT_IMAGE: z
    .string()
    .regex(/^[\w.:/@-]+$/, 'must be the name of an image')
    .default('berth:latest'),
  BERTH_PYPI_INDEX_URL: packageAddress,
  BERTH_CONDA_URL: packageAddress,
  BERTH_MICROMAMBA_IMAGE: z
    .string()
    .regex(/^[\w.:/@-]+$/, 'must be the name of an image')
    .default('mambaorg/micromamba:2.6.1'),
  BERTH_ALLOWED_SOURCES: z.string().refine(isSourceList, NO_SOURCES).default(''),
  BERTH_HOST_TERMINAL: z.enum(['0', '1']).default('0'),
  DOCKER_HOST: z.string().optional(),
  BERTH_BIND_ROOTS: z.string().default(''),
  BERTH_NETWORK_POOL: z
    .string()
    .refine((pool) => parseRange(pool), NO_RANGE)
    .optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

export interface Env {
  isProduction: boolean;
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** Without a trailing slash. */
  publicUrl: string;
  secret: string | undefined;
  /** Whether a secret is taken that is not the one which the data was made with. */
  newSecret: 'accept' | undefined;
  /** Whether the database is changed by an upgrade where there is no room for a copy of it. */
  upgradeWithoutCopy: boolean;
  /** Opens the metrics; without it they are closed. */
  metricsToken: string | undefined;
  localAgent: 'auto' | 'docker' | 'simulated' | 'off';
  /** Where mails are handed over; without it they are written to the outbox folder. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Event streams of whoever has not said who they are, and of one account. */
  streamsPerAddress: number;
  streamsPerAccount: number;
  /** What one account without full access may have made, in each collection and in stored files altogether. */
  recordsPerAccount: number;
  storageBytesPerAccount: number;
  /** Under which the console serves ports of workspaces, `name` or `name:port`; empty where it serves none. */
  appsDomain: string;
  trustedProxies: string[];
  /** Asked about names of workspaces, `address` or `address:port`; those of the machine where there are none. */
  dnsServers: string[];
  /** Where a join token for the host `local` is left for an agent beside the console. */
  joinTokenFile: string | undefined;
  /** The image that new hosts are told to run the agent from. */
  agentImage: string;
  /** Where generated images get packages; empty for the usual places. */
  pypiIndexUrl: string;
  condaUrl: string;
  /** The image that micromamba is taken out of. */
  micromambaImage: string;
  /** Hosts and addresses of the own network that the embedded agent may fetch files from. */
  allowedSources: string[];
  /** Whether the embedded agent gives admins a shell on this machine. */
  hostTerminal: boolean;
  /** The embedded agent's engine, when not at the usual socket. */
  dockerHost: string | undefined;
  networkPool: string | undefined;
  /** Absolute folders of this machine that bind mounts of the embedded agent's host may lie under. */
  bindRoots: string[];
  logLevel: string;
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const APPS_DOMAIN = new RegExp(`^(?=.{1,200}$)${LABEL}(?:\\.${LABEL})*(?::([1-9]\\d{0,4}))?$`);

/** A name under which names can be made: no address of numbers. */
function isAppsDomain(text: string): boolean {
  const port = APPS_DOMAIN.exec(text)?.[1];
  return APPS_DOMAIN.test(text) && Number(port ?? 0) <= 65_535 && !/(?:^|\.)\d+(?::|$)/.test(text);
}

const listWords = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** As Node's resolver takes them: `192.0.2.1`, `192.0.2.1:53`, `2001:db8::1`, `[2001:db8::1]:53`. */
function isServerList(text: string): boolean {
  return listWords(text).every((server) => {
    const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(server) ?? [];
    return isIP(v6 ?? v4 ?? server) !== 0 && Number(port ?? 1) >= 1 && Number(port ?? 1) <= 65_535;
  });
}

/** Browsers find `*.localhost` by themselves, on the machine where they run: the default of a console that is there too. */
function appsDomainOf(given: string | undefined, publicUrl: string): string {
  if (given !== undefined) return given === 'off' ? '' : given;
  const { protocol, hostname, port } = new URL(publicUrl);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol !== 'http:' || !isHere || port === '0') return '';
  return port === '' ? 'localhost' : `localhost:${port}`;
}

/** Parses the given variables. Throws one Error that lists every bad value. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = envSchema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The environment has bad values:\n${lines.join('\n')}`);
  }
  const raw = parsed.data;
  const publicUrl = (raw.BERTH_PUBLIC_URL ?? `http://localhost:${raw.PORT}`).replace(/\/+$/, '');
  return {
    isProduction: raw.NODE_ENV === 'production',
    port: raw.PORT,
    host: raw.HOST,
    dataDir: path.resolve(raw.BERTH_DATA_DIR),
    publicUrl,
    appsDomain: appsDomainOf(raw.BERTH_APPS_DOMAIN, publicUrl),
    secret: raw.BERTH_SECRET,
    newSecret: raw.BERTH_NEW_SECRET,
    upgradeWithoutCopy: raw.BERTH_UPGRADE_WITHOUT_COPY === 'accept',
    metricsToken: raw.BERTH_METRICS_TOKEN,
    localAgent: raw.BERTH_LOCAL_AGENT,
    smtpUrl: raw.BERTH_SMTP_URL,
    mailFrom: raw.BERTH_MAIL_FROM ?? 'Berth <berth@localhost>',
    streamsPerAddress: raw.BERTH_STREAMS_PER_ADDRESS,
    streamsPerAccount: raw.BERTH_STREAMS_PER_ACCOUNT,
    recordsPerAccount: raw.BERTH_RECORDS_PER_ACCOUNT,
    storageBytesPerAccount: raw.BERTH_STORAGE_PER_ACCOUNT_MB * 1_000_000,
    trustedProxies: listWords(raw.BERTH_TRUSTED_PROXIES ?? ''),
    dnsServers: listWords(raw.BERTH_DNS_SERVERS),
    joinTokenFile: raw.BERTH_JOIN_TOKEN_FILE,
    agentImage: raw.BERTH_AGENT_IMAGE,
    pypiIndexUrl: raw.BERTH_PYPI_INDEX_URL,
    condaUrl: raw.BERTH_CONDA_URL,
    micromambaImage: raw.BERTH_MICROMAMBA_IMAGE,
    allowedSources: listSources(raw.BERTH_ALLOWED_SOURCES),
    hostTerminal: raw.BERTH_HOST_TERMINAL === '1',
    dockerHost: raw.DOCKER_HOST,
    networkPool: raw.BERTH_NETWORK_POOL,
    bindRoots: raw.BERTH_BIND_ROOTS.split(':')
      .filter(Boolean)
      .map((root) => path.resolve(root)),
    logLevel: raw.LOG_LEVEL,
  };
}

let cached: Env | undefined;

/** The process's settings, parsed on first use. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}
