import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { nowMs, setClock } from '@/lib/clock';
import { api } from './api';
import { authorizationOf } from './call';

export const PASSWORD = 'Berth!pass1';

let aheadMs = 0;

/** Moves the clock on; each time step gives a code of its own. */
export function wait(seconds: number): void {
  aheadMs += seconds * 1000;
  setClock(() => Date.now() + aheadMs);
}

/** The code that an authenticator app shows. */
export function codeOf(secret: string, offsetSteps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  return totp.generate({ timestamp: nowMs() + offsetSteps * 30_000 });
}

/** A code that was not shown before. */
export function nextCode(secret: string): string {
  wait(30);
  return codeOf(secret);
}

/** Sets an authenticator app up as its owner does. */
export async function enableTotp(
  user: { id: string },
  authorization = authorizationOf(user.id).authorization!,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const headers = { authorization };
  const started = await api('POST', '/api/second-factor/totp', { headers, body: { password: PASSWORD } });
  expect(started.status).toBe(200);
  const secret = String(started.json.secret);
  const body = { code: codeOf(secret) };
  const confirmed = await api('POST', '/api/second-factor/totp/confirm', { headers, body });
  expect(confirmed.status).toBe(200);
  return { secret, recoveryCodes: confirmed.json.recoveryCodes as string[] };
}
