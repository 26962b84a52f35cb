import { isFilesOpen } from '../../lib/protocol/file-streams';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import type { OpenStream } from '../../lib/protocol/streams';
import type { AgentClock } from '../clock';
import { DAY_SECONDS } from './series';

/** How exactly it is known when somebody went. */
const STEP_MS = 10_000;

type OpenPresence = Extract<OpenStream, { kind: 'exec' | 'attach' | 'tunnel' | 'fileList' | 'fileRead' | 'fileWrite' }>;

/** Whether whoever opens that is at work in the workspace. Who only looks on, at logs or charts, is not. */
export function isPresence(open: OpenStream): open is OpenPresence {
  return open.kind === 'exec' || open.kind === 'attach' || open.kind === 'tunnel' || isFilesOpen(open);
}

/** Who is in which workspace by way of the console: terminals, connections to ports, files. As long as this process runs. */
export class Presence {
  private readonly open = new Map<string, Set<Pick<MuxStream, 'isClosed'>>>();
  /** Milliseconds since the Unix epoch. */
  private readonly lastSeen = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly clock: AgentClock) {}

  note(workspaceId: string, stream: Pick<MuxStream, 'isClosed'>): void {
    const streams = this.open.get(workspaceId) ?? new Set();
    this.open.set(workspaceId, streams.add(stream));
    this.timer ??= setInterval(() => this.settle(), STEP_MS).unref();
  }

  /** The same workspaces, with as many seconds at most as nobody was there. */
  limit(quiet: { id: string; seconds: number }[]): { id: string; seconds: number }[] {
    this.settle();
    const now = this.clock.now();
    return quiet.map(({ id, seconds }) => {
      const seen = this.lastSeen.get(id);
      const most = this.open.has(id) ? 0 : seen === undefined ? seconds : (now - seen) / 1000;
      return { id, seconds: Math.max(0, Math.min(seconds, most)) };
    });
  }

  private settle(): void {
    for (const [id, streams] of this.open) {
      for (const stream of streams) if (stream.isClosed) streams.delete(stream);
      if (streams.size > 0) continue;
      this.open.delete(id);
      this.lastSeen.set(id, this.clock.now());
    }
    const oldest = this.clock.now() - DAY_SECONDS * 1000;
    for (const [id, seen] of this.lastSeen) if (seen < oldest) this.lastSeen.delete(id);
    if (this.open.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
