/** Thrown instead of waiting in a queue that is full. */
export class QueueFullError extends Error {}

/** Runs at most `width` pieces of work at once; at most `maxWaiting` more wait, in order. */
export function createTurns(width: number, maxWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= width) {
      if (waiting.length >= maxWaiting) throw new QueueFullError('too much is waiting');
      // Whoever ends hands its place on, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
