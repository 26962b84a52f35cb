import 'server-only';
import { nowMs } from '@/lib/clock';
import { singleton } from '@/lib/singleton';

const start = () => singleton('console-start', () => ({ atMs: nowMs(), ticksMs: performance.now() }));

/**
 * When this process first asked, which is when it starts to serve hosts. Milliseconds since the epoch, by the clock as it is
 * now: one that was set back to before the start would have everything look older than that.
 */
export function consoleStartedAtMs(): number {
  const started = start();
  const now = nowMs();
  if (now < started.atMs) started.atMs = now - (performance.now() - started.ticksMs);
  return started.atMs;
}
