import 'server-only';
import { Secret, TOTP } from 'otpauth';
import { nowMs } from '@/lib/clock';

const PERIOD_SECONDS = 30;
/** Steps before and after the present one that count, for clocks that differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;

function totpOf(secret: string, label: string): TOTP {
  const options = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const;
  return new TOTP({ issuer: 'Berth', label, secret: Secret.fromBase32(secret), ...options });
}

/** A new secret of an authenticator app, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What the app scans. */
export function totpUri(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/** The time step that the code belongs to; undefined when it is wrong or too old. */
export function findTotpStep(secret: string, code: string): number | undefined {
  const timestamp = nowMs();
  const delta = totpOf(secret, '').validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}
