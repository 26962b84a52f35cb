import { AppError } from '@/lib/errors';

/** Lets so many through at once; the others wait in the order in which they came. */
export class Gate {
  private inside = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly width: number,
    private readonly waitingMax: number,
  ) {}

  /** Throws AppError `rate_limited` where too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside < this.width) this.inside += 1;
    else {
      if (this.waiting.length >= this.waitingMax) {
        throw new AppError('rate_limited', 'Too many questions about packages at once. Please try again.', {
          retryAfterSeconds: 2,
        });
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The place goes on to the next.
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }
}
