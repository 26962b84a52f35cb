import 'server-only';
import { env } from '@/lib/env';
import type { FieldProblems } from '@/lib/errors';
import type { AnyRow } from '@/lib/records/collection';

const SHOWN_SECRET = '******';
const SECRET_NAME = /secret|password/i;

/** Lives of tokens in seconds, as the record API names their settings. */
const TOKEN_SECONDS: Record<string, number> = {
  adminAuthToken: 1_209_600,
  adminPasswordResetToken: 1800,
  adminFileToken: 120,
  recordAuthToken: 1_209_600,
  recordPasswordResetToken: 1800,
  recordEmailChangeToken: 1800,
  recordVerificationToken: 604_800,
  recordFileToken: 120,
};

function isObject(value: unknown): value is AnyRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the environment and the code decide: shown, and refused where a client sends something else. */
function fixedSettings(): AnyRow {
  const { publicUrl, smtpUrl, mailFrom } = env();
  const smtp = smtpUrl ? new URL(smtpUrl) : undefined;
  const tokens = Object.entries(TOKEN_SECONDS).map(([name, duration]) => [name, { secret: SHOWN_SECRET, duration }]);
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
    ...Object.fromEntries(tokens),
  };
}

function senderOf(mailFrom: string): { senderName: string; senderAddress: string } {
  const match = /^\s*"?([^"<]*?)"?\s*<([^>]+)>\s*$/.exec(mailFrom);
  return match ? { senderName: match[1]!, senderAddress: match[2]! } : { senderName: '', senderAddress: mailFrom };
}

/** The whole settings: what is fixed, and every stored setting under its key, secrets masked. */
export function composeSettings(stored: readonly { key: string; value: unknown }[]): AnyRow {
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
  const fixed = fixedSettings();
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
