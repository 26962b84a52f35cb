import type { MuxStream } from '../../lib/protocol/mux-stream';
import type { LogEvent } from '../../lib/protocol/streams';

const BATCH_BYTES = 16 * 1024;

/** Sends JSON lines as fast as the reader gives credit. What comes while a write waits goes out together with the next. */
export class LineWriter {
  private batch = '';
  private sending: Promise<void> | undefined;
  private failure: unknown;

  constructor(private readonly stream: MuxStream) {}

  /** Resolves when more may come. Throws when the stream is over. */
  async write(event: LogEvent): Promise<void> {
    if (this.failure) throw this.failure;
    this.batch += `${JSON.stringify(event)}\n`;
    this.send();
    if (this.batch.length >= BATCH_BYTES) await this.sending;
  }

  /** Resolves when everything has left. */
  async flush(): Promise<void> {
    while (this.sending && !this.failure) await this.sending;
    if (this.failure) throw this.failure;
  }

  private send(): void {
    if (this.sending || this.batch === '' || this.failure) return;
    const bytes = Buffer.from(this.batch, 'utf8');
    this.batch = '';
    this.sending = this.stream.write(bytes).then(
      () => {
        this.sending = undefined;
        this.send();
      },
      (error: unknown) => {
        this.failure = error;
      },
    );
  }
}
