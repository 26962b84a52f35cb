import 'server-only';
import type { RawData, WebSocket } from 'ws';
import { z } from 'zod';
import { nowMs } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { keepAlive } from '@/lib/http/web-socket';
import { log } from '@/lib/log';
import { actorUserId, wayOf } from '@/lib/policies/actor';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import { type TerminalNews, TerminalPartReader } from '@/lib/protocol/terminal-parts';
import { nameOfUser, recordAuditAlone } from '@/lib/records/audit';
import type { AuditAction } from '@/lib/vocabulary/audit';
import {
  TERMINAL_CLOSES,
  TERMINAL_WINDOW_BYTES,
  type TerminalAct,
  type TerminalCloseReason,
  type TerminalNewsForViewer,
  type Watcher,
} from '@/lib/vocabulary/terminal';
import { openHostStream } from '../link/host-link';
import { hasLiveLink } from '../link/links';
import type { TerminalRequest } from './opening';
import { watchSession } from './watchers';

/** Keys that the host has not taken yet: beyond this the browser is held back. */
const INPUT_BYTES = 256 * 1024;
/** A browser that does not close when it is asked to. */
const CLOSE_PATIENCE_MS = 2000;

const side = z.int().min(1).max(1000);
const actSchema: z.ZodType<TerminalAct> = z.discriminatedUnion('k', [
  z.object({ k: z.literal('resize'), cols: side, rows: side }),
  z.object({ k: z.literal('taken'), bytes: z.int().min(0) }),
  z.object({ k: z.literal('end') }),
]);

interface Closing {
  reason: TerminalCloseReason;
  message: string;
  code?: number | null;
}

/** One browser on a terminal: hands bytes on between its socket and the host, for as long as it may. */
export class ViewerSocket {
  private stream: MuxStream | undefined;
  private readonly parts = new TerminalPartReader();
  private readonly stops: (() => void)[] = [];
  private inputBytes = 0;
  /** Output that the browser has not shown yet, and credit that the host gets once it has. */
  private shownLaterBytes = 0;
  private owedBytes = 0;
  private begunMs = 0;
  private isOver = false;

  constructor(
    private readonly socket: WebSocket,
    private readonly request: TerminalRequest,
    private readonly origin: { address: string; userAgent: string },
  ) {}

  start(): void {
    const { actor, hostId, open } = this.request;
    this.socket.on('message', (data, isBinary) => this.takeFromBrowser(data, isBinary));
    this.socket.on('error', (error) => log.debug({ err: error }, 'a terminal’s socket failed'));
    this.socket.on('close', () => this.finish());
    this.stops.push(keepAlive(this.socket));
    const access = this.request.watch();
    this.stops.push(access.stop);
    access.signal.addEventListener('abort', () => {
      this.close({ reason: 'revoked', message: 'You may no longer use this terminal.' });
    });
    const onChange = (people: Watcher[], place: number): void => this.say({ k: 'watching', people, place });
    this.stops.push(watchSession(open.session, { who: watcherOf(actorUserId(actor)), onChange }));
    try {
      this.stream = openHostStream(hostId, open);
    } catch (error) {
      return this.close({ reason: 'lost', message: error instanceof AppError ? error.message : '' });
    }
    this.listen(this.stream);
  }

  private listen(stream: MuxStream): void {
    stream.listen({
      onData: (chunk) => this.takeFromHost(chunk),
      onEnd: ({ code, message }) => this.close({ reason: 'ended', code, message }),
      // Words of the host while its link stands are about what was asked; else it may be back soon.
      onError: (message) => {
        this.close({ reason: hasLiveLink(this.request.hostId) ? 'failed' : 'lost', message });
      },
    });
  }

  private takeFromHost(chunk: Buffer): void {
    try {
      for (const part of this.parts.push(chunk)) {
        if ('news' in part) this.takeNews(part.news);
        else {
          this.shownLaterBytes += part.output.length;
          this.socket.send(part.output);
        }
      }
    } catch (error) {
      log.warn({ err: error, hostId: this.request.hostId }, 'an agent sent a terminal what is none');
      this.close({ reason: 'failed', message: 'The agent of the host sent what no console understands.' });
    }
    this.owedBytes += chunk.length;
    this.giveCredit();
  }

  /** The host sends on as the browser shows: one that shows nothing costs what its window and the stream's hold. */
  private giveCredit(): void {
    if (this.shownLaterBytes >= TERMINAL_WINDOW_BYTES) return;
    this.stream?.consumed(this.owedBytes);
    this.owedBytes = 0;
  }

  private takeNews(news: TerminalNews): void {
    if (news.k === 'refused') {
      const reason = news.code === 'gone' || news.code === 'limit' ? news.code : 'failed';
      this.close({ reason, message: news.message });
    } else if (news.k === 'begin') {
      const { session } = this.request.open;
      this.say({ ...news, session, owner: watcherOf(news.owner) });
      this.begunMs = nowMs();
      this.audit(this.request.audited.begin, { isNew: news.isNew });
    } else this.say(news);
  }

  private takeFromBrowser(data: RawData, isBinary: boolean): void {
    if (this.isOver) return;
    if (isBinary) return this.sendKeys(data as Buffer);
    const act = readAct(data as Buffer);
    if (!act) this.close({ reason: 'garbage', message: 'The console does not understand what the page says.' });
    else if (act.k === 'taken') {
      this.shownLaterBytes = Math.max(0, this.shownLaterBytes - act.bytes);
      this.giveCredit();
    } else if (act.k === 'resize') this.stream?.resize({ cols: act.cols, rows: act.rows });
    else {
      this.stream?.end();
      this.stream = undefined;
      this.close({ reason: 'ended', message: '' });
    }
  }

  private sendKeys(bytes: Buffer): void {
    if (!this.stream) return;
    this.inputBytes += bytes.length;
    if (this.inputBytes > INPUT_BYTES) this.socket.pause();
    const sent = (): void => {
      this.inputBytes -= bytes.length;
      if (this.inputBytes <= INPUT_BYTES / 2) this.socket.resume();
    };
    this.stream.write(bytes).then(sent, sent);
  }

  private say(news: TerminalNewsForViewer): void {
    if (!this.isOver) this.socket.send(JSON.stringify(news));
  }

  private close({ reason, message, code = null }: Closing): void {
    if (this.isOver) return;
    this.say({ k: 'closed', reason, message, code });
    this.finish();
    this.socket.resume();
    this.socket.close(TERMINAL_CLOSES[reason]);
    setTimeout(() => this.socket.terminate(), CLOSE_PATIENCE_MS).unref();
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const stop of this.stops) stop();
    this.stream?.cancel();
    if (this.begunMs === 0) return;
    const seconds = Math.round((nowMs() - this.begunMs) / 1000);
    this.audit(this.request.audited.leave, { kind: this.request.open.kind, seconds });
  }

  /** Who, when and how long; never what was typed. */
  private audit(action: AuditAction, details: Record<string, unknown>): void {
    const { actor, audited } = this.request;
    void recordAuditAlone({
      action,
      actor,
      from: { ...this.origin, via: wayOf(actor) },
      on: audited.on,
      details: { ...details, ...audited.details },
    });
  }
}

function watcherOf(id: string): Watcher {
  return { id, name: nameOfUser(id) };
}

function readAct(data: Buffer): TerminalAct | undefined {
  try {
    return actSchema.safeParse(JSON.parse(data.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
