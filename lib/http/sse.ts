import 'server-only';
import { Readable } from 'node:stream';
import type { KernelResponse } from './context';

const PING_MS = 15_000;

export interface SseEvent {
  id?: string;
  /** Left out for plain messages. */
  event?: string;
  data: unknown;
}

/** One event of a stream as bytes on the wire. JSON has no line breaks, so one data line holds it. */
export function formatEvent({ id, event, data }: SseEvent): string {
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  return `${head}data: ${JSON.stringify(data)}\n\n`;
}

/** The life of one streamed answer: over when its client goes, or when its body has ended for whatever reason. */
export interface StreamScope {
  readonly signal: AbortSignal;
  end(): void;
}

export function createScope(caller: AbortSignal): StreamScope {
  const ended = new AbortController();
  return { signal: AbortSignal.any([caller, ended.signal]), end: () => ended.abort() };
}

/**
 * A body that is made only as fast as its client takes it. What it is made from must watch the scope's signal: that fires
 * first, so that a generator which waits for something comes to its end.
 */
export function scopedBody(scope: StreamScope, chunks: AsyncIterable<string | Buffer>): Readable {
  const body = Readable.from(chunks, { objectMode: false, highWaterMark: 16 * 1024 });
  const destroy = body._destroy.bind(body);
  body._destroy = (error, done) => {
    scope.end();
    destroy(error, done);
  };
  return body;
}

/** Answers with an event stream. Comments keep the connection open through silence. */
export function eventStream(scope: StreamScope, events: AsyncIterable<SseEvent>): KernelResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
    body: scopedBody(scope, withPings(events, scope.signal)),
  };
}

const PING = Symbol('ping');

async function* withPings(events: AsyncIterable<SseEvent>, signal: AbortSignal): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    yield ': open\n\n';
    let next = iterator.next();
    while (!signal.aborted) {
      const result = await orPing(next, signal);
      if (result === PING) {
        if (!signal.aborted) yield ': ping\n\n';
        continue;
      }
      if (result.done) return;
      yield formatEvent(result.value);
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

/** The next event, or a ping when none came for a while or the signal fired. */
async function orPing<T>(next: Promise<T>, signal: AbortSignal): Promise<T | typeof PING> {
  let stop: () => void = () => undefined;
  const ping = new Promise<typeof PING>((resolve) => {
    const timer = setTimeout(() => resolve(PING), PING_MS);
    const onAbort = () => resolve(PING);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) resolve(PING);
  });
  try {
    return await Promise.race([next, ping]);
  } finally {
    stop();
  }
}
