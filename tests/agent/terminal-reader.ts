import type { MuxStream } from '@/lib/protocol/mux-stream';
import type { OpenExec, OpenTerminal, StreamEnd } from '@/lib/protocol/streams';
import { type TerminalNews, TerminalPartReader } from '@/lib/protocol/terminal-parts';

export type AskedTerminal = { kind: OpenTerminal['kind']; session: string } & Partial<Omit<OpenExec, 'kind'>>;

const USUAL = { isNew: true, viewer: 'mara', from: null, cols: 80, rows: 24 };
const USUAL_EXEC = { command: '', words: [], user: '', workdir: '' };

/** An `open` of a terminal with the usual where nothing is said. */
export function makeOpen(asked: AskedTerminal): OpenTerminal {
  const inWorkspace = asked.kind !== 'hostShell' && { workspaceId: 'w1' };
  return { ...USUAL, ...inWorkspace, ...(asked.kind === 'exec' && USUAL_EXEC), ...asked } as OpenTerminal;
}

/** The console's end of a terminal's stream, read as it comes. */
export class TerminalReader {
  text = '';
  bytes = 0;
  readonly news: TerminalNews[] = [];
  /** How it ended; words where it went wrong. */
  readonly ended: Promise<StreamEnd | string>;
  /** A reader that does not read gives no credit. */
  isReading = true;
  private readonly parts = new TerminalPartReader();

  constructor(readonly stream: MuxStream) {
    this.ended = new Promise((resolve) => {
      stream.listen({
        onData: (chunk) => this.take(chunk),
        onEnd: ({ code, message }) => resolve({ code, message }),
        onError: resolve,
      });
    });
  }

  type(text: string): void {
    void this.stream.write(Buffer.from(text)).catch(() => undefined);
  }

  find<K extends TerminalNews['k']>(kind: K): Extract<TerminalNews, { k: K }> | undefined {
    return this.news.findLast(({ k }) => k === kind) as Extract<TerminalNews, { k: K }> | undefined;
  }

  private take(chunk: Buffer): void {
    if (!this.isReading) return;
    for (const part of this.parts.push(chunk)) {
      if ('news' in part) this.news.push(part.news);
      else {
        this.bytes += part.output.length;
        this.text = (this.text + part.output.toString('utf8')).slice(-200_000);
      }
    }
    this.stream.consumed(chunk.length);
  }
}
