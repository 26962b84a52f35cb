import 'server-only';
import type { Verdict } from '@/lib/verdict';

/** Everything that is looked at, in the order in which it is shown. */
export const CHECK_CODES = [
  'version',
  'database',
  'disk',
  'secretKey',
  'backups',
  'upgrade',
  'hosts',
  'agents',
  'clock',
  'address',
  'tls',
  'proxies',
  'appsDomain',
  'forwardAuth',
  'mail',
  'settings',
] as const;
export type CheckCode = (typeof CHECK_CODES)[number];

export interface Check extends Verdict {
  code: CheckCode;
}

/** A size as people read it. */
export function sizeWords(bytes: number): string {
  return bytes >= 1e8 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
