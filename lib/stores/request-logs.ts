import 'server-only';
import { nowMs, toWireDate } from '@/lib/clock';
import { newTimedId } from '@/lib/ids';
import { log } from '@/lib/log';
import { bumpVersion } from '@/db/versions';
import { prepareWrite } from '@/lib/records/statements';
import { singleton } from '@/lib/singleton';
import { writeUnflushed } from './unflushed';

const FLUSH_MS = 2000;
const BATCH = 500;
const MAX_WAITING = 5000;
const SWEEP_MS = 60 * 60_000;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 5;
/** With the length of a row that is some hundred megabytes, however many ask. */
const KEPT_ROWS = 100_000;
const ROW_CHARS = 4000;

export interface RequestLog {
  atMs: number;
  level: number;
  message: string;
  data: Record<string, unknown>;
}

/** What is told of a request, without its longest parts where that is too much: signs may take six characters each. */
function textOf(data: RequestLog['data']): string {
  let text = JSON.stringify(data);
  for (const [key] of Object.entries(data).sort(([, a], [, b]) => String(b).length - String(a).length)) {
    if (text.length <= ROW_CHARS) return text;
    text = JSON.stringify((data = { ...data, [key]: String(data[key]).slice(0, 200) }));
  }
  return text;
}

/** Entries wait here and are written in batches, so that no request pays for its log with a disk flush. */
class RequestLogWriter {
  private waiting: RequestLog[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sweptAtMs = 0;

  add(entry: RequestLog): void {
    if (this.waiting.length >= MAX_WAITING) return;
    this.waiting.push(entry);
    this.timer ??= setTimeout(() => this.flushSome(), FLUSH_MS).unref();
  }

  /** Writes whatever waits. */
  flush(): void {
    while (this.waiting.length > 0) this.writeBatch();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private flushSome(): void {
    this.timer = undefined;
    let nextMs = 10;
    try {
      this.writeBatch();
      this.sweep();
    } catch (error) {
      nextMs = FLUSH_MS;
      log.error({ err: error }, 'request logs could not be written');
    }
    if (this.waiting.length > 0) this.timer = setTimeout(() => this.flushSome(), nextMs).unref();
  }

  private writeBatch(): void {
    const batch = this.waiting.splice(0, BATCH);
    const insert = prepareWrite(
      'INSERT INTO logs (id, created, updated, level, message, data) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const prune = prepareWrite('DELETE FROM logs WHERE rowid <= (SELECT MAX(rowid) FROM logs) - ?');
    try {
      writeUnflushed(() => {
        for (const { atMs, level, message, data } of batch) {
          const at = toWireDate(atMs);
          insert.run(newTimedId(atMs), at, at, level, message.slice(0, ROW_CHARS), textOf(data));
        }
        prune.run(KEPT_ROWS);
      });
    } catch (error) {
      this.waiting.unshift(...batch);
      throw error;
    }
    if (batch.length > 0) bumpVersion('logs');
  }

  /** Removes entries past their days; does so once an hour at most. */
  sweep(): void {
    const now = nowMs();
    if (now - this.sweptAtMs < SWEEP_MS) return;
    this.sweptAtMs = now;
    prepareWrite('DELETE FROM logs WHERE created < ?').run(toWireDate(now - KEPT_DAYS * DAY_MS));
    bumpVersion('logs');
  }
}

/** The process's one writer of request logs. */
export function requestLogs(): RequestLogWriter {
  return singleton('request-logs', () => new RequestLogWriter());
}
