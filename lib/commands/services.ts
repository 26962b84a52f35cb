import 'server-only';
import { sweepSessions } from '@/lib/auth/sessions';
import { sweepPartialBackups } from '@/lib/backups/folder';
import { env } from '@/lib/env';
import { closeAllLinks } from '@/lib/hosts/links';
import { startOfflineSweep } from '@/lib/hosts/offline-sweep';
import { log } from '@/lib/log';
import { requestLogs } from '@/lib/stores/request-logs';
import { startLocalJoinToken } from './local-join-token';

const SESSION_SWEEP_MS = 60 * 60_000;

export interface Services {
  /** Ends what runs beside the requests; hosts are asked to come back later. */
  stop(): void;
}

/** Starts what runs beside the requests: sweeps, and the join token for an agent that is deployed with the console. */
export async function startServices(): Promise<Services> {
  const stopOfflineSweep = startOfflineSweep();
  const sessionSweep = setInterval(() => {
    sweepSessions().catch((error: unknown) => log.error({ err: error }, 'the session sweep failed'));
  }, SESSION_SWEEP_MS);
  sessionSweep.unref();
  await sweepPartialBackups();
  const { joinTokenFile } = env();
  const stopJoinToken = joinTokenFile ? startLocalJoinToken(joinTokenFile) : undefined;
  return {
    stop() {
      stopOfflineSweep();
      clearInterval(sessionSweep);
      stopJoinToken?.();
      closeAllLinks();
      requestLogs().flush();
    },
  };
}
