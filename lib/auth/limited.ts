import 'server-only';
import { addressBlock } from './address-block';
import type { RateLimit } from '@/lib/vocabulary/limits';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { takeTurns, type Turn } from '@/lib/stores/rate-limits';

/** The turns of a call by its address; none where the door does not tell it. */
export function turnsOfAddress({ address }: Pick<RequestContext, 'address'>, limit: RateLimit): Turn[] {
  return address === '' ? [] : [{ limit, who: addressBlock(address) }];
}

/** Composing takes the square of what stands on one letter; no name or address is so long. */
const SPELLED_MOST = 500;

/** An account as people write it: one counter, however it is spelled. */
export function spellingOf(identity: unknown): string {
  return typeof identity === 'string' ? identity.trim().slice(0, SPELLED_MOST).normalize('NFKC').toLowerCase() : '';
}

/** Whether a failure says that something secret was guessed wrong. */
function isWrongGuess(error: unknown): boolean {
  return error instanceof AppError && error.code === 'invalid';
}

/**
 * Does what may be tried in vain only so often. The try is counted before, so that many at once can't slip through, and
 * given back unless it was a wrong guess. Throws AppError `rate_limited` without doing anything where a limit is reached.
 */
export async function limitGuesses<T>(
  turns: readonly Turn[],
  work: () => Promise<T>,
  isWrong: (error: unknown) => boolean = isWrongGuess,
): Promise<T> {
  const giveBack = takeTurns(turns);
  try {
    const result = await work();
    giveBack();
    return result;
  } catch (error) {
    if (!isWrong(error)) giveBack();
    throw error;
  }
}

/** Counts a call against all of the limits. Throws AppError `rate_limited` where one is reached. */
export function limitCalls(turns: readonly Turn[]): void {
  takeTurns(turns);
}
