import 'server-only';
import { hosts } from '../collection';
import { nowMs, toWireDate } from '@/lib/clock';
import { log } from '@/lib/log';
import { write } from '@/lib/records/transaction';
import { findSeenAhead, findSilentHosts, markSeenNow } from './host-identities';
import { consoleStartedAtMs } from './console-start';

const SWEEP_EVERY_MS = 5000;

/** Calls the hosts offline that were silent for too long; resolves with how many. Reads only when there are none. */
export async function sweepSilentHosts(): Promise<number> {
  await followClock();
  const times = { nowMs: nowMs(), startedAtMs: consoleStartedAtMs() };
  if (findSilentHosts(times).length === 0) return 0;
  return write((tx) => {
    const silent = findSilentHosts(times);
    for (const { id, lastSeenMs } of silent) {
      const statusMessage = `No heartbeat since ${toWireDate(lastSeenMs)}`;
      const engine = tx.get(hosts, id)?.engine;
      tx.observe(hosts, id, {
        status: 'offline',
        statusMessage,
        ...(engine && { engine: { ...engine, liveLink: false } }),
      });
    }
    return silent.length;
  });
}

/** Counts a host's silence anew from now where the clock was set back. */
async function followClock(): Promise<void> {
  if (findSeenAhead(nowMs()).length === 0) return;
  await write((tx) => findSeenAhead(nowMs()).forEach((hostId) => markSeenNow(tx, hostId, nowMs())));
}

/** Sweeps every five seconds until the returned function is called. All hosts get the whole period after the start. */
export function startOfflineSweep(): () => void {
  consoleStartedAtMs();
  const timer = setInterval(() => {
    sweepSilentHosts().catch((error: unknown) => log.error({ err: error }, 'the offline sweep failed'));
  }, SWEEP_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
