import 'server-only';
import { nowMs } from '@/lib/clock';
import { singleton } from '@/lib/singleton';

/** When this process first asked, which is when it starts to serve hosts. Milliseconds since the epoch. */
export function consoleStartedAtMs(): number {
  return singleton('console-start', () => ({ atMs: nowMs() })).atMs;
}
