/** Full-jitter exponential delays: each is a random part of a ceiling that doubles. */
export class Backoff {
  private tries = 0;

  constructor(private readonly limits: { firstMs: number; longestMs: number; random: () => number }) {}

  /** Milliseconds to wait before the next try. */
  next(): number {
    const { firstMs, longestMs, random } = this.limits;
    const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(this.tries, 20));
    this.tries += 1;
    return ceiling * random();
  }

  reset(): void {
    this.tries = 0;
  }
}
