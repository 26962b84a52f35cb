import type { LogLine, OpenLogs } from '../../lib/protocol/streams';
import type { FollowContext } from './follow-logs';
import { countLinesBefore, findContainer } from './log-source';

/** Characters held at most of a stretch's last lines. */
const HELD_CHARS = 16 * 1024 * 1024;

/**
 * The lines of a stretch of time, of which only the last so many are wanted as a rule. An engine counts them from the end of
 * its whole log, so they are counted here. Returns the closing words.
 */
export async function sendStretch(open: OpenLogs, context: FollowContext): Promise<string> {
  const { source, signal, write } = context;
  const container = await findContainer(source, open.workspaceId);
  if (!container) return 'The workspace has no container';
  const { containerId } = container;
  await write({ k: 'source', containerId });
  const options = { tail: null, since: open.since, until: open.until, follow: false };
  const last = open.tail === null ? undefined : new LastLines(open.tail);
  for await (const line of source.engine.logs(containerId, options, signal)) {
    if (line.t > open.until) break;
    if (last) last.push(line);
    else await write(line);
  }
  const lines = last?.take() ?? [];
  for (const line of lines) await write(line);
  const timestamp = lines[0]?.t;
  if (open.numbered && timestamp !== undefined) {
    await write({ k: 'numbered', before: await countLinesBefore(source.engine, { containerId, timestamp, signal }) });
  }
  return '';
}

/** The last so many lines of what is pushed, fewer where they are long. */
class LastLines {
  private lines: LogLine[] = [];
  private from = 0;
  private chars = 0;

  constructor(private readonly max: number) {}

  push(line: LogLine): void {
    this.lines.push(line);
    this.chars += line.m.length;
    while (this.lines.length - this.from > this.max || this.chars > HELD_CHARS) {
      this.chars -= this.lines[this.from]?.m.length ?? 0;
      this.from += 1;
    }
    if (this.from <= this.max) return;
    this.lines = this.lines.slice(this.from);
    this.from = 0;
  }

  take(): LogLine[] {
    return this.lines.slice(this.from);
  }
}
