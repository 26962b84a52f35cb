import type { LogEvent, LogLine, OpenLogRange, OpenLogSearch } from '../../lib/protocol/streams';
import { EngineError } from '../engines/engine-error';
import { createMatcher } from './log-match';
import { findContainer, type LogSource } from './log-source';

const BATCH_LINES = 500;
const BATCH_CHARS = 1024 * 1024;

interface ReadContext {
  source: LogSource;
  signal: AbortSignal;
  write(event: LogEvent): Promise<void>;
}

/** Sends lines of a container's log by their numbers. */
export async function sendRange(open: OpenLogRange, { source, signal, write }: ReadContext): Promise<void> {
  await requireContainer(source, open);
  const until = open.before === '' ? {} : { until: open.before };
  const options = { tail: null, since: '', ...until, follow: false };
  let number = 0;
  for await (const line of source.engine.logs(open.containerId, options, signal)) {
    number += 1;
    if (number > open.to || (open.before !== '' && line.t >= open.before)) return;
    if (number >= open.from) await write({ ...line, n: number });
  }
}

/** Sends the lines of a container's log that match, and at the end how many there are. */
export async function sendMatches(open: OpenLogSearch, { source, signal, write }: ReadContext): Promise<void> {
  await requireContainer(source, open);
  const match = createMatcher(open);
  let number = 0;
  let hits = 0;
  let batch: LogLine[] = [];
  let batchChars = 0;
  const search = async (): Promise<void> => {
    const found = match(batch.map(({ m }) => m));
    const lines = batch.filter((_, index) => found[index]);
    for (const line of lines.slice(0, Math.max(0, open.limit - hits))) await write(line);
    hits += lines.length;
    batch = [];
    batchChars = 0;
  };
  const options = { tail: null, since: '', follow: false };
  for await (const line of source.engine.logs(open.containerId, options, signal)) {
    number += 1;
    if (open.to !== null && number > open.to) break;
    if (number < open.from) continue;
    batch.push({ ...line, n: number });
    batchChars += line.m.length;
    if (batch.length >= BATCH_LINES || batchChars >= BATCH_CHARS) await search();
  }
  await search();
  await write({ k: 'searched', lines: Math.min(number, open.to ?? number), hits });
}

async function requireContainer(source: LogSource, asked: { workspaceId: string; containerId: string }): Promise<void> {
  const container = await findContainer(source, asked.workspaceId);
  if (container?.containerId === asked.containerId) return;
  throw new EngineError('not-found', 'This container is gone, and its log with it. Load the page again.');
}
