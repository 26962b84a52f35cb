import path from 'node:path';
import { z } from 'zod';

/** Settings of the console process, from its environment. The only reader of `process.env` on the console's side. */
const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('production'),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).default('0.0.0.0'),
  BERTH_DATA_DIR: z.string().min(1).default('./data'),
  BERTH_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  BERTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  BERTH_NEW_SECRET: z.enum(['accept']).optional(),
  BERTH_LOCAL_AGENT: z.enum(['auto', 'docker', 'simulated', 'off']).default('auto'),
  BERTH_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  BERTH_MAIL_FROM: z.string().optional(),
  BERTH_TRUSTED_PROXIES: z.string().optional(),
  BERTH_JOIN_TOKEN_FILE: z.string().optional(),
  DOCKER_HOST: z.string().optional(),
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
  localAgent: 'auto' | 'docker' | 'simulated' | 'off';
  /** Where mails are handed over; without it they are written to the outbox folder. */
  smtpUrl: string | undefined;
  mailFrom: string;
  trustedProxies: string[];
  /** Where a join token for the host `local` is left for an agent beside the console. */
  joinTokenFile: string | undefined;
  /** The embedded agent's engine, when not at the usual socket. */
  dockerHost: string | undefined;
  logLevel: string;
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
  return {
    isProduction: raw.NODE_ENV === 'production',
    port: raw.PORT,
    host: raw.HOST,
    dataDir: path.resolve(raw.BERTH_DATA_DIR),
    publicUrl: (raw.BERTH_PUBLIC_URL ?? `http://localhost:${raw.PORT}`).replace(/\/+$/, ''),
    secret: raw.BERTH_SECRET,
    newSecret: raw.BERTH_NEW_SECRET,
    localAgent: raw.BERTH_LOCAL_AGENT,
    smtpUrl: raw.BERTH_SMTP_URL,
    mailFrom: raw.BERTH_MAIL_FROM ?? 'Berth <berth@localhost>',
    trustedProxies: (raw.BERTH_TRUSTED_PROXIES ?? '').split(/[\s,]+/).filter(Boolean),
    joinTokenFile: raw.BERTH_JOIN_TOKEN_FILE,
    dockerHost: raw.DOCKER_HOST,
    logLevel: raw.LOG_LEVEL,
  };
}

let cached: Env | undefined;

/** The process's settings, parsed on first use. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}
