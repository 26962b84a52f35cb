/** As AbortSignal.timeout gives it. */
const LATE = new DOMException('The time is up', 'TimeoutError');

/** How long a job may take, part by part: a push has time of its own after the build. */
export class Deadline {
  private readonly abort = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private part = '';
  private seconds = 0;

  /** Ends what runs once the present part is late. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The time of the part before counts no more; 0 is for as long as it takes. */
  begin(part: string, timeoutMs: number): void {
    this.end();
    if (this.signal.aborted) return;
    this.part = part;
    this.seconds = Math.round(timeoutMs / 1000);
    if (timeoutMs > 0) this.timer = setTimeout(() => this.abort.abort(LATE), timeoutMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  /** What was late; empty while nothing is. */
  describe(waitsFor: string): string {
    if (!this.signal.aborted) return '';
    if (waitsFor !== '') return `${waitsFor} It gave up after ${this.seconds} s.`;
    return `The ${this.part} took longer than ${this.seconds} s and was stopped`;
  }
}
