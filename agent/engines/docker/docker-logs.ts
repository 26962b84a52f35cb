import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { LogLine } from '../../../lib/protocol/streams';
import type { LogOptions } from '../engine';
import { openStream } from './docker-client';
import { toEngineError } from './docker-errors';

const HEADER_BYTES = 8;
const STDERR = 2;
/** A line without an end is cut here, so that a program that prints none can't fill the memory. */
const LINE_MAX_CHARS = 256 * 1024;

/** Reads a container's log line by line. With `since`, the line that carries just that timestamp is left out. */
export async function* readLogs(
  docker: Docker,
  { containerId, options, signal }: { containerId: string; options: LogOptions; signal: AbortSignal },
): AsyncGenerator<LogLine> {
  const stream = await openLogs(docker, { containerId, options, signal });
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const decoder = new LogDecoder(options.since);
  try {
    for await (const chunk of stream) yield* decoder.push(chunk as Buffer);
    yield* decoder.finish();
  } catch (error) {
    if (!signal.aborted) throw toEngineError(error);
  } finally {
    signal.removeEventListener('abort', stop);
    stream.destroy();
  }
}

function openLogs(
  docker: Docker,
  { containerId, options, signal }: { containerId: string; options: LogOptions; signal: AbortSignal },
): Promise<Readable> {
  const query = {
    stdout: true,
    stderr: true,
    timestamps: true,
    follow: options.follow,
    ...(options.tail === null ? {} : { tail: options.tail }),
    ...(options.since ? { since: toEngineTime(options.since) } : {}),
    ...(options.until ? { until: toEngineTime(options.until) } : {}),
  };
  return openStream(docker, { method: 'GET', path: `/containers/${containerId}/logs?`, query, signal });
}

/** Docker takes seconds and nanoseconds, `1700000000.123456789`. */
export function toEngineTime(timestamp: string): string {
  const fraction = /\.(\d{1,9})/.exec(timestamp)?.[1] ?? '';
  const seconds = Math.floor(Date.parse(timestamp.replace(/\.\d+/, '')) / 1000);
  return `${seconds}.${fraction.padEnd(9, '0')}`;
}

/** How long the frame is that begins here; as long as its header while that isn't whole. */
function frameBytes(bytes: Buffer): number {
  return bytes.length < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + bytes.readUInt32BE(4);
}

/**
 * Takes Docker's multiplexed log apart. One frame is one message `timestamp text`; a long line comes as several frames
 * of which only the last ends in a newline.
 */
export class LogDecoder {
  private rest: Buffer = Buffer.alloc(0);
  private readonly partial: Record<'out' | 'err', LogLine | undefined> = { out: undefined, err: undefined };

  constructor(private readonly since: string) {}

  *push(chunk: Buffer): Generator<LogLine> {
    let at = 0;
    // Only the frame that the last chunk cut is put together; the others are read where they lie.
    while (this.rest.length > 0) {
      const missing = frameBytes(this.rest) - this.rest.length;
      this.rest = Buffer.concat([this.rest, chunk.subarray(at, at + missing)]);
      at += missing;
      if (this.rest.length < frameBytes(this.rest)) {
        if (at >= chunk.length) return;
        continue;
      }
      const whole = this.rest;
      this.rest = Buffer.alloc(0);
      yield* this.takeFrame(whole);
    }
    for (let left = chunk.subarray(at); left.length > 0; left = left.subarray(frameBytes(left))) {
      if (left.length < frameBytes(left)) {
        this.rest = Buffer.from(left);
        return;
      }
      yield* this.takeFrame(left.subarray(0, frameBytes(left)));
    }
  }

  private takeFrame(frame: Buffer): Generator<LogLine> {
    return this.take(frame[0] === STDERR ? 'err' : 'out', frame.toString('utf8', HEADER_BYTES));
  }

  /** The line that was still without an end. */
  *finish(): Generator<LogLine> {
    for (const source of ['out', 'err'] as const) {
      const line = this.partial[source];
      this.partial[source] = undefined;
      if (line && this.isNew(line)) yield line;
    }
  }

  private *take(source: 'out' | 'err', text: string): Generator<LogLine> {
    const gap = text.indexOf(' ');
    const timestamp = gap < 0 ? text.trimEnd() : text.slice(0, gap);
    const message = gap < 0 ? '' : text.slice(gap + 1);
    const line = this.partial[source] ?? { t: timestamp, s: source, m: '' };
    const isComplete = message.endsWith('\n') || text.endsWith('\n') || line.m.length > LINE_MAX_CHARS;
    line.m += message.replace(/\r?\n$/, '');
    this.partial[source] = isComplete ? undefined : line;
    if (isComplete && this.isNew(line)) yield line;
  }

  private isNew(line: LogLine): boolean {
    return this.since === '' || line.t > this.since;
  }
}
