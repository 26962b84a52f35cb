import 'server-only';
import { lastUses } from '@/lib/auth/last-used';
import { sweepPartialBackups } from '@/lib/backups/folder';
import { env } from '@/lib/env';
import { closeAllLinks } from '@/lib/hosts/links';
import { startOfflineSweep } from '@/lib/hosts/offline-sweep';
import { log } from '@/lib/log';
import { requestLogs } from '@/lib/stores/request-logs';
import { endExpiredCredentials } from './expired-credentials';
import { startLocalJoinToken } from './local-join-token';

const EXPIRY_SWEEP_MS = 5000;

export interface Services {
  /** Ends what runs beside the requests; hosts are asked to come back later. */
  stop(): void;
}

/** Starts what runs beside the requests: sweeps, and the join token for an agent that is deployed with the console. */
export async function startServices(): Promise<Services> {
  const stopOfflineSweep = startOfflineSweep();
  const expirySweep = setInterval(() => {
    endExpiredCredentials().catch((error: unknown) => log.error({ err: error }, 'the session sweep failed'));
  }, EXPIRY_SWEEP_MS);
  expirySweep.unref();
  await sweepPartialBackups();
  const { joinTokenFile } = env();
  const stopJoinToken = joinTokenFile ? startLocalJoinToken(joinTokenFile) : undefined;
  return {
    stop() {
      stopOfflineSweep();
      clearInterval(expirySweep);
      stopJoinToken?.();
      closeAllLinks();
      requestLogs().flush();
      lastUses().flush();
    },
  };
}
