import type { LogEvent, OpenLogs } from '../../lib/protocol/streams';
import type { ObservedContainer } from '../engines/engine';
import { waitFor } from '../wait';
import { countLinesBefore, findContainer, type LogSource } from './log-source';
import { sendStretch } from './log-stretch';

/** Between an end and the look at what became of the container, which an engine that restarts it starts meanwhile. */
const SETTLE_MS = 200;
/** News of a start may get lost: looked again after this long. */
const LOOK_AGAIN_MS = 10_000;

export interface FollowContext {
  source: LogSource;
  signal: AbortSignal;
  write(event: LogEvent): Promise<void>;
}

/**
 * A workspace's lines; with `follow` on through ends and starts of its container, and into the container after it, until
 * the signal fires. Returns the closing words.
 */
export async function sendLogs(open: OpenLogs, context: FollowContext): Promise<string> {
  const { source, signal } = context;
  if (open.until !== '') return sendStretch(open, context);
  const run = new LogRun(open, context);
  let container = await findContainer(source, open.workspaceId);
  if (!container && !open.follow) return 'The workspace has no container';
  while (!signal.aborted) {
    if (container) await run.read(container);
    if (!open.follow) return '';
    await waitFor(SETTLE_MS, signal);
    container = await run.findNext();
  }
  return '';
}

class LogRun {
  private containerId = '';
  /** Timestamp of the last line that was sent, or that the reader holds. */
  private last: string;
  private hasSent = false;
  private isEndTold = false;

  constructor(
    private readonly open: OpenLogs,
    private readonly context: FollowContext,
  ) {
    this.last = open.since;
  }

  /** Sends what there is of the container's log beyond what was sent, and what comes until it ends. */
  async read(container: ObservedContainer): Promise<void> {
    const { open, context } = this;
    const { containerId } = container;
    if (containerId !== this.containerId) {
      // The one before may have printed after the new one began.
      if (this.containerId !== '') this.last = '';
      this.hasSent = false;
      this.containerId = containerId;
      await context.write({ k: 'source', containerId });
    } else if (this.isEndTold && container.state === 'running') {
      await context.write({ k: 'source', containerId });
    }
    this.isEndTold &&= container.state !== 'running';
    const options = { tail: this.hasSent ? null : open.tail, since: this.last, follow: open.follow };
    for await (const line of context.source.engine.logs(containerId, options, context.signal)) {
      if (!this.hasSent && open.numbered) this.number(containerId, line.t);
      this.hasSent = true;
      await context.write(line);
      this.last = line.t;
    }
  }

  /**
   * The container to read next: one that runs, or another one, at once. Else, after news of it: what runs but a moment is
   * seen between its runs only. Says meanwhile that it has ended.
   */
  async findNext(): Promise<ObservedContainer | undefined> {
    const { context, open } = this;
    const { source, signal } = context;
    const container = await findContainer(source, open.workspaceId);
    if (container && (container.state === 'running' || container.containerId !== this.containerId)) return container;
    if (!this.isEndTold && container) {
      this.isEndTold = true;
      const { exitCode, state } = container;
      await context.write({ k: 'ended', exitCode, isRestarting: state === 'restarting' });
    }
    await source.news.next(open.workspaceId, LOOK_AGAIN_MS, signal);
    return findContainer(source, open.workspaceId);
  }

  /** Counting reads the log from its beginning, which the lines don't wait for. */
  private number(containerId: string, timestamp: string): void {
    const { source, signal, write } = this.context;
    countLinesBefore(source.engine, { containerId, timestamp, signal })
      .then((before) => (signal.aborted ? undefined : write({ k: 'numbered', before })))
      .catch(() => undefined);
  }
}
