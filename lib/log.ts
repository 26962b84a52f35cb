import 'server-only';
import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';
import { env } from './env';
import { singleton } from './singleton';

/** Values under these keys never reach a log line. */
const REDACTED = [
  'password',
  '*.password',
  'token',
  '*.token',
  'authorization',
  '*.authorization',
  'cookie',
  '*.cookie',
  'secret',
  '*.secret',
];

function createLogger(): Logger {
  const { isProduction, logLevel } = env();
  const options = { level: logLevel, redact: REDACTED, base: undefined };
  if (isProduction) return pino(options);
  return pino(options, pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', sync: true }));
}

/** The process's logger: JSON lines in production, readable ones in development. */
export const log: Logger = singleton('log', createLogger);
