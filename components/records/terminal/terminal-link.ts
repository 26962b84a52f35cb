import { TERMINAL_CLOSES, type TerminalAct, type TerminalNewsForViewer, type Watcher } from '@/lib/vocabulary/terminal';

export interface TerminalAsk {
  /** The record's calls, as `/api/workspace/{id}`: its terminal's socket lies below, and `terminal`, which says why there is none. */
  base: string;
  kind: 'exec' | 'attach';
  /** What a new session is asked for. */
  wish: Readonly<Record<string, string>>;
  /** Of the session to take up; empty for a new one. */
  session: string;
}

export type TerminalPhase =
  | { name: 'connecting' }
  | { name: 'live' }
  | { name: 'waiting'; untilMs: number; tries: number; why: string }
  /** It answers, but lets no WebSocket through. */
  | { name: 'blocked'; untilMs: number }
  | { name: 'over'; reason: 'ended' | 'revoked' | 'gone' | 'limit' | 'failed'; message: string; code: number | null };

export interface TerminalHandlers {
  onPhase(phase: TerminalPhase): void;
  onBegin(news: Extract<TerminalNewsForViewer, { k: 'begin' }>): void;
  /** Call `done` once they are shown. */
  onOutput(bytes: Uint8Array, done: () => void): void;
  onSkipped(bytes: number): void;
  onSize(size: { cols: number; rows: number }): void;
  onWatching(people: Watcher[], place: number): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** What was pasted goes in parts that no proxy minds. */
const PART_BYTES = 32 * 1024;
const EARLY_KEYS = 1000;
const TAKEN_STEP_BYTES = 128 * 1024;

/** One terminal's way to the console: a socket that is opened again until the session is over. */
export class TerminalLink {
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  private hasOpened = false;
  private isStopped = false;
  private session: string;
  /** Place of the next byte of output; undefined before the first. */
  private place: number | undefined;
  /** Up to here it is replay. */
  private replayTo = 0;
  private shownTo = 0;
  private shownUntold = 0;
  /** What was typed before the terminal was there for the first time. */
  private readonly early: Uint8Array<ArrayBuffer>[] = [];
  /** Whether this window answers what programs ask of the terminal: the first of those who look on. */
  private isLead = true;

  constructor(
    private readonly ask: TerminalAsk,
    private readonly handlers: TerminalHandlers,
    private size: { cols: number; rows: number },
  ) {
    this.session = ask.session;
  }

  connect(): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.handlers.onPhase({ name: 'connecting' });
    const socket = new WebSocket(this.address());
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.hasOpened = false;
    let closed: Extract<TerminalNewsForViewer, { k: 'closed' }> | undefined;
    socket.onopen = () => (this.hasOpened = true);
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data !== 'string') return this.takeOutput(new Uint8Array(data));
      const news = JSON.parse(data) as TerminalNewsForViewer;
      if (news.k === 'closed') closed = news;
      else this.takeNews(news);
    };
    socket.onclose = ({ code }) => {
      if (this.isStopped || this.socket !== socket) return;
      if (closed && closed.reason !== 'lost') this.finish(closed);
      else if (code === TERMINAL_CLOSES.revoked) this.finish({ reason: 'revoked', message: '', code: null });
      else if (this.hasOpened) this.wait(closed?.message ?? '');
      else void this.findOut();
    };
  }

  /** Takes the session up again without waiting. */
  tryNow(): void {
    this.tries = 0;
    this.connect();
  }

  /** Keys go nowhere while a connection is lost. Answers to old questions, and those of the other windows, are left out. */
  send(text: string): void {
    if (isAnswer(text) && (!this.isLead || this.shownTo < this.replayTo)) return;
    this.sendBytes(new TextEncoder().encode(text));
  }

  sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.place === undefined && this.early.length < EARLY_KEYS) this.early.push(bytes);
    if (this.place === undefined || this.socket?.readyState !== WebSocket.OPEN) return;
    for (let at = 0; at < bytes.length; at += PART_BYTES) this.socket.send(bytes.subarray(at, at + PART_BYTES));
  }

  resize(size: { cols: number; rows: number }): void {
    this.size = size;
    this.say({ k: 'resize', ...size });
  }

  /** Ends the session for everyone. */
  end(): void {
    this.say({ k: 'end' });
  }

  /** Leaves: the session lives on for a while. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private address(): string {
    const { base, kind, wish } = this.ask;
    const query = new URLSearchParams({ cols: String(this.size.cols), rows: String(this.size.rows) });
    if (this.session) query.set('session', this.session);
    else for (const [name, value] of Object.entries(wish)) query.set(name, value);
    if (this.place !== undefined) query.set('from', String(this.place));
    return `${location.origin.replace(/^http/, 'ws')}${base}/${kind}?${query}`;
  }

  private say(act: TerminalAct): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(act));
  }

  private takeNews(news: Exclude<TerminalNewsForViewer, { k: 'closed' }>): void {
    if (news.k === 'begin') {
      this.tries = 0;
      this.session = news.session;
      this.replayTo = news.replayTo;
      // What was forgotten while this window was away.
      if (this.place !== undefined && news.offset > this.place) this.handlers.onSkipped(news.offset - this.place);
      this.place = this.shownTo = news.offset;
      this.shownUntold = 0;
      this.handlers.onBegin(news);
      this.handlers.onPhase({ name: 'live' });
      this.say({ k: 'resize', ...this.size });
      for (const keys of this.early.splice(0)) this.sendBytes(keys);
    } else if (news.k === 'skipped') {
      this.place = (this.place ?? 0) + news.bytes;
      this.handlers.onSkipped(news.bytes);
    } else if (news.k === 'size') this.handlers.onSize(news);
    else {
      this.isLead = news.place === 0;
      this.handlers.onWatching(news.people, news.place);
    }
  }

  private takeOutput(bytes: Uint8Array): void {
    const socket = this.socket;
    const end = (this.place = (this.place ?? 0) + bytes.length);
    this.handlers.onOutput(bytes, () => {
      if (socket !== this.socket) return;
      this.shownTo = end;
      this.shownUntold += bytes.length;
      if (this.shownUntold < TAKEN_STEP_BYTES) return;
      this.say({ k: 'taken', bytes: this.shownUntold });
      this.shownUntold = 0;
    });
  }

  /** The socket could not be opened: the same question without one tells why. */
  private async findOut(): Promise<void> {
    const answer = await fetch(`${this.ask.base}/terminal`).catch(() => undefined);
    if (this.isStopped) return;
    const body = (await answer?.json().catch(() => undefined)) as
      { isHostThere?: boolean; message?: string } | undefined;
    const message = body?.message ?? '';
    if (answer?.status === 401 || answer?.status === 403 || answer?.status === 404 || answer?.status === 409) {
      this.finish({ reason: 'revoked', message, code: null });
    } else if (body?.isHostThere && this.tries > 0) this.wait('', true);
    else this.wait(message);
  }

  private finish({
    reason,
    message,
    code,
  }: Pick<Extract<TerminalNewsForViewer, { k: 'closed' }>, 'reason' | 'message' | 'code'>): void {
    this.stop();
    const shown = reason === 'lost' || reason === 'garbage' ? 'failed' : reason;
    this.handlers.onPhase({ name: 'over', reason: shown, message, code });
  }

  private wait(why: string, isBlocked = false): void {
    this.tries += 1;
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** this.tries, LONGEST_PAUSE_MS);
    const pauseMs = longest / 2 + (Math.random() * longest) / 2;
    const untilMs = Date.now() + pauseMs;
    this.timer = setTimeout(() => this.connect(), pauseMs);
    this.handlers.onPhase(
      isBlocked ? { name: 'blocked', untilMs } : { name: 'waiting', untilMs, tries: this.tries, why },
    );
  }
}

/** What a terminal says by itself when a program asks: where the cursor is, what it can do, its colours, its focus. */
const ANSWER =
  /^(?:\u001b\[[?>=]?[\d;]*(?:[cnR]|\$y|[IO])|\u001b\][\d;]+[^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001bP[^\u001b]*\u001b\\)+$/;

export function isAnswer(text: string): boolean {
  return ANSWER.test(text);
}
