import type { MuxStream } from '../../lib/protocol/mux-stream';
import type { OpenTerminal, StreamEnd, TerminalSize } from '../../lib/protocol/streams';
import { TERMINAL_REPLAY_BYTES } from '../../lib/protocol/terminal-parts';
import type { Terminal } from '../engines/terminal';
import { toMessage } from '../engines/engine-error';
import { ReplayRing } from './replay-ring';
import { InputQueue, TerminalViewer } from './terminal-viewer';

/** The program waits when even its quickest viewer is so far behind. */
const BEHIND_MAX_BYTES = TERMINAL_REPLAY_BYTES / 2;
/** Accounts whose first look is remembered. */
const SEEN_MAX = 200;
/** What the exit code is waited for after the last output. */
const EXIT_PATIENCE_MS = 5000;

interface SessionOptions {
  open: OpenTerminal;
  terminal: Terminal;
  /** Called when the last viewer has left, and when the process has ended while nobody looks on. */
  onQuiet(): void;
  /** Nothing of it is left, or what could not be ended is told in words. */
  onOver(words: string): void;
}

/** The workspace that a terminal is in; empty for the host itself. */
export function workspaceOf(open: OpenTerminal): string {
  return open.kind === 'hostShell' ? '' : open.workspaceId;
}

/** A terminal with what was printed last and those who look on. It lives on while nobody does. */
export class TerminalSession {
  readonly id: string;
  /** Of the workspace; empty for the host itself. */
  readonly workspaceId: string;
  readonly kind: OpenTerminal['kind'];
  readonly owner: string;
  readonly terminal: Terminal;
  /** Set once the process is over. */
  end: StreamEnd | undefined;
  private readonly ring = new ReplayRing(TERMINAL_REPLAY_BYTES);
  private readonly viewers = new Set<TerminalViewer>();
  /** Where each account came in: what was typed before is not for its eyes. */
  private readonly seenFrom = new Map<string, number>();
  private readonly input: InputQueue;
  private size: TerminalSize;
  private clearing: Promise<void> | undefined;

  constructor(private readonly options: SessionOptions) {
    const { open, terminal } = options;
    this.id = open.session;
    this.workspaceId = workspaceOf(open);
    this.kind = open.kind;
    this.owner = open.viewer;
    this.terminal = terminal;
    this.size = { cols: open.cols, rows: open.rows };
    this.input = new InputQueue((bytes) => terminal.write(bytes));
    this.read();
  }

  get isWatched(): boolean {
    return this.viewers.size > 0;
  }

  join(stream: MuxStream, open: OpenTerminal): void {
    const from = this.placeFor(open);
    const viewer = new TerminalViewer({
      stream,
      ring: this.ring,
      from,
      size: { cols: open.cols, rows: open.rows },
      onProgress: () => this.pace(),
    });
    const { program, takesInput } = this.terminal;
    viewer.tell({
      k: 'begin',
      offset: from,
      replayTo: this.ring.end,
      isNew: open.isNew,
      owner: this.owner,
      program,
      takesInput,
    });
    this.viewers.add(viewer);
    stream.listen({
      onData: (chunk) => this.input.push(chunk, stream),
      onResize: (size) => {
        viewer.size = size;
        this.fit();
      },
      // One that gives up leaves; one that ends the stream ends the session.
      onEnd: ({ cancelled }) => this.leave(viewer, !cancelled),
      onError: () => this.leave(viewer, false),
    });
    this.fit();
    viewer.tell({ k: 'size', ...this.size });
    if (this.end) viewer.endWith(this.end);
  }

  /** Ends the processes; those who look on are told why. */
  close(message: string): Promise<void> {
    this.finish({ code: null, message });
    return this.clearAway();
  }

  /** Where the output begins for a viewer: where its account came in, or what it does not hold yet. */
  private placeFor({ viewer, from }: OpenTerminal): number {
    const seen = this.seenFrom.get(viewer) ?? (viewer === this.owner ? 0 : this.ring.end);
    if (!this.seenFrom.has(viewer) && this.seenFrom.size < SEEN_MAX) this.seenFrom.set(viewer, seen);
    const wanted = from !== null && from <= this.ring.end ? from : 0;
    return Math.max(this.ring.start, seen, wanted);
  }

  private leave(viewer: TerminalViewer, isEnding: boolean): void {
    if (!this.viewers.delete(viewer)) return;
    if (isEnding && !this.end) void this.close('Somebody who looked on ended it.');
    this.pace();
    if (this.isWatched) this.fit();
    else this.options.onQuiet();
  }

  private read(): void {
    const { output } = this.terminal;
    output.on('data', (chunk: Buffer) => {
      this.ring.append(chunk);
      for (const viewer of this.viewers) viewer.wake();
      this.pace();
    });
    output.once('close', () => void this.noteExit());
    output.once('end', () => void this.noteExit());
    output.on('error', () => void this.noteExit());
  }

  /** The quickest viewer sets the pace; without one the output is read and forgotten. */
  private pace(): void {
    const { output } = this.terminal;
    const least = Math.min(...[...this.viewers].map((viewer) => viewer.behindBytes));
    const mustWait = this.isWatched && least > BEHIND_MAX_BYTES;
    if (mustWait !== output.isPaused()) {
      if (mustWait) output.pause();
      else output.resume();
    }
  }

  private async noteExit(): Promise<void> {
    if (this.end) return;
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), EXIT_PATIENCE_MS).unref());
    const code = await Promise.race([this.terminal.exitCode().catch(() => null), late]);
    this.finish({ code, message: '' });
    // What runs on behind the shell goes with it.
    await this.clearAway();
  }

  private clearAway(): Promise<void> {
    this.clearing ??= this.terminal.close().catch(toMessage).then(this.options.onOver);
    return this.clearing;
  }

  private finish(end: StreamEnd): void {
    if (this.end) return;
    this.end = end;
    for (const viewer of this.viewers) viewer.endWith(end);
    if (!this.isWatched) this.options.onQuiet();
  }

  private fit(): void {
    const sizes = [...this.viewers].map((viewer) => viewer.size);
    const size = {
      cols: Math.min(...sizes.map(({ cols }) => cols)),
      rows: Math.min(...sizes.map(({ rows }) => rows)),
    };
    if (
      sizes.length === 0 ||
      this.terminal.hasFixedSize ||
      (size.cols === this.size.cols && size.rows === this.size.rows)
    )
      return;
    this.size = size;
    for (const viewer of this.viewers) viewer.tell({ k: 'size', ...size });
    this.terminal.resize(size).catch(() => undefined);
  }
}
