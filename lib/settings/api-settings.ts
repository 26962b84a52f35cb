import 'server-only';
import { z } from 'zod';
import { env } from '@/lib/env';
import type { FieldProblems } from '@/lib/errors';
import type { AnyRow } from '@/lib/records/collection';

const SHOWN_SECRET = '******';
const SECRET_NAME = /secret|password/i;

/** Lives of tokens in seconds, as the record API names their settings. */
const TOKEN_SECONDS = {
  adminAuthToken: 1_209_600,
  adminPasswordResetToken: 1800,
  adminFileToken: 120,
  recordAuthToken: 1_209_600,
  recordPasswordResetToken: 1800,
  recordEmailChangeToken: 1800,
  recordVerificationToken: 604_800,
  recordFileToken: 120,
};
type TokenName = keyof typeof TOKEN_SECONDS;

/** What comes of each kind of token, by its name. */
function byToken<T>(make: (seconds: number) => T): Record<TokenName, T> {
  const made = Object.entries(TOKEN_SECONDS).map(([name, seconds]) => [name, make(seconds)]);
  return Object.fromEntries(made) as Record<TokenName, T>;
}

const fixedShape = {
  meta: z.strictObject({
    appName: z.string(),
    appUrl: z.string(),
    hideControls: z.boolean(),
    senderName: z.string(),
    senderAddress: z.string(),
  }),
  logs: z.strictObject({ maxDays: z.int(), minLevel: z.int(), logIp: z.boolean() }),
  smtp: z.strictObject({
    enabled: z.boolean(),
    host: z.string(),
    port: z.int(),
    username: z.string(),
    password: z.string(),
    authMethod: z.string(),
    tls: z.boolean(),
    localName: z.string(),
  }),
  s3: z.strictObject({
    enabled: z.boolean(),
    bucket: z.string(),
    region: z.string(),
    endpoint: z.string(),
    accessKey: z.string(),
    secret: z.string(),
    forcePathStyle: z.boolean(),
  }),
  backups: z.strictObject({
    cron: z.string(),
    cronMaxKeep: z.int(),
    s3: z.strictObject({ enabled: z.boolean() }),
  }),
  ...byToken(() => z.strictObject({ secret: z.string(), duration: z.int().describe('Seconds') })),
};
type FixedSettings = { [K in keyof typeof fixedShape]: z.output<(typeof fixedShape)[K]> };

/** All settings as the administration calls show them: what is fixed, and what is stored under keys of its own. */
export const apiSettingsSchema = z.looseObject(fixedShape);
export type ApiSettings = z.output<typeof apiSettingsSchema>;

function isObject(value: unknown): value is AnyRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the environment and the code decide: shown, and refused where a client sends something else. */
function fixedSettings(): FixedSettings {
  const { publicUrl, smtpUrl, mailFrom } = env();
  const smtp = smtpUrl ? new URL(smtpUrl) : undefined;
  return {
    meta: { appName: 'Berth', appUrl: publicUrl, hideControls: true, ...senderOf(mailFrom) },
    logs: { maxDays: 5, minLevel: 0, logIp: true },
    smtp: {
      enabled: smtp !== undefined,
      host: smtp?.hostname ?? '',
      port: Number(smtp?.port || 587),
      username: decodeURIComponent(smtp?.username ?? ''),
      password: smtp?.password ? SHOWN_SECRET : '',
      authMethod: '',
      tls: smtp?.protocol === 'smtps:',
      localName: '',
    },
    s3: { enabled: false, bucket: '', region: '', endpoint: '', accessKey: '', secret: '', forcePathStyle: false },
    backups: { cron: '', cronMaxKeep: 0, s3: { enabled: false } },
    ...byToken((duration) => ({ secret: SHOWN_SECRET, duration })),
  };
}

function senderOf(mailFrom: string): { senderName: string; senderAddress: string } {
  const match = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(mailFrom);
  return match ? { senderName: match[1]!, senderAddress: match[2]! } : { senderName: '', senderAddress: mailFrom };
}

/** The whole settings: what is fixed, and every stored setting under its key, secrets masked. */
export function composeSettings(stored: readonly { key: string; value: unknown }[]): ApiSettings {
  const own = stored.map(({ key, value }) => [key, maskSecrets(value)]);
  return { ...Object.fromEntries(own), ...fixedSettings() };
}

/** A stored value with its secrets shown as set or not, no more. */
function maskSecrets(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return SECRET_NAME.test(key) && value !== '' ? SHOWN_SECRET : value;
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskSecrets(item, name)]));
}

/** The value with a sent one merged in, key by key; a mask that is sent back keeps what is stored. */
export function mergeSetting(stored: unknown, sent: unknown, key = ''): unknown {
  if (sent === SHOWN_SECRET && SECRET_NAME.test(key)) return '';
  if (Array.isArray(sent)) return sent.map((item) => mergeSetting(undefined, item));
  if (!isObject(sent)) return sent;
  const merged: AnyRow = { ...(isObject(stored) ? stored : {}) };
  for (const [name, item] of Object.entries(sent)) merged[name] = mergeSetting(merged[name], item, name);
  return merged;
}

export interface SettingsPatch {
  /** Stored settings to write, by key. */
  values: Record<string, unknown>;
  problems: FieldProblems;
}

/** What a client asks to change; what is fixed may be sent back as it is. */
export function readSettingsPatch(body: AnyRow): SettingsPatch {
  const fixed: AnyRow = fixedSettings();
  const values: Record<string, unknown> = {};
  const problems: FieldProblems = {};
  for (const [key, value] of Object.entries(body)) {
    if (!Object.hasOwn(fixed, key)) values[key] = value;
    else if (!isWithin(fixed[key], value)) {
      const message = 'This setting comes from the environment of the console and can not be changed here.';
      problems[key] = { code: 'validation_not_changeable', message };
    }
  }
  return { values, problems };
}

/** Whether everything sent is what is there. */
function isWithin(fixed: unknown, sent: unknown): boolean {
  if (!isObject(fixed) || !isObject(sent)) return fixed === sent;
  return Object.entries(sent).every(([key, item]) => Object.hasOwn(fixed, key) && isWithin(fixed[key], item));
}
