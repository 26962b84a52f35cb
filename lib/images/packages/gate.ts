import { AppError } from '@/lib/errors';
import { createTurns, QueueFullError } from '@/lib/turns';

/** Lets so many through at once. Throws AppError `rate_limited` where too many wait already. */
export function createGate(width: number, waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const inTurn = createTurns(width, waitingMax);
  return (work) =>
    inTurn(work).catch((error: unknown) => {
      if (!(error instanceof QueueFullError)) throw error;
      throw new AppError('rate_limited', 'Too many questions about packages at once. Please try again.', {
        retryAfterSeconds: 2,
      });
    });
}
