/** Lets a number of tasks run at once; the rest wait in order. */
export class Slots {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly width: number) {}

  get isFull(): boolean {
    return this.taken >= this.width;
  }

  /** Resolves when there is room; the caller then owes one `release`. */
  async take(): Promise<void> {
    if (this.isFull) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.taken += 1;
  }

  release(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.taken -= 1;
  }
}
