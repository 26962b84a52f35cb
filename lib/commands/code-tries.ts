import 'server-only';
import { limits } from '@/lib/domain/limits';
import { nowMs } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { singleton } from '@/lib/singleton';

const MAX_REMEMBERED = 10_000;

interface Window {
  count: number;
  endsAtMs: number;
}

const windows = singleton('code-tries', () => new Map<string, Window>());

/**
 * Counts a try of a code or password that proves who holds an account; the returned function takes it back where it was
 * right. Throws AppError `rate_limited` once too many were wrong.
 */
export function takeCodeTry(accountId: string): () => void {
  const now = nowMs();
  const { secondFactorTries: max, secondFactorTriesSeconds: periodSeconds } = limits;
  const known = windows.get(accountId);
  const window = known && known.endsAtMs > now ? known : { count: 0, endsAtMs: now + periodSeconds * 1000 };
  if (window.count >= max) {
    const secondsLeft = Math.ceil((window.endsAtMs - now) / 1000);
    const message = `Quota exceeded. Maximum allowed: ${max} requests per ${periodSeconds / 60} minutes. Please try again in ${secondsLeft} seconds.`;
    throw new AppError('rate_limited', message, { retryAfterSeconds: secondsLeft });
  }
  window.count += 1;
  windows.delete(accountId);
  if (windows.size >= MAX_REMEMBERED) windows.delete(windows.keys().next().value!);
  windows.set(accountId, window);
  return () => {
    window.count -= 1;
  };
}
