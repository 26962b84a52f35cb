import 'server-only';
import { askHostsForResources } from './host-resources';
import { lastUses } from '@/lib/auth/last-used';
import { sweepAutomaticBackups } from '@/lib/backups/automatic';
import { sweepPartialBackups } from '@/lib/backups/folder';
import { env } from '@/lib/env';
import { closeAllLinks } from '@/lib/hosts/link/links';
import { startOfflineSweep } from '@/lib/hosts/link/offline-sweep';
import { log } from '@/lib/log';
import { sweepAudit } from '@/lib/records/audit';
import { sweepRateLimits } from '@/lib/stores/rate-limits';
import { requestLogs } from '@/lib/stores/request-logs';
import { endExpiredCredentials } from '@/lib/accounts/security/expired-credentials';
import { sweepNewer } from '@/lib/images/newer/sweep-newer';
import { closeInterrupted } from '@/lib/volumes/backups/create-backup';
import { sweepPartial } from '@/lib/volumes/backups/folder';
import { sweepDueBackups } from '@/lib/volumes/backups/schedule';
import { sweepVolumeSizes } from '@/lib/volumes/measure-volumes';
import { sweepMaintenance } from '@/lib/workspaces/maintenance/sweep';
import { sweepTimes } from '@/lib/workspaces/times/sweep';
import { startLocalJoinToken } from '@/lib/hosts/local-join-token';

const EXPIRY_SWEEP_MS = 5000;
const RATE_LIMIT_SWEEP_MS = 10 * 60_000;
const AUDIT_SWEEP_MS = 60 * 60_000;
const NEWER_SWEEP_MS = 10 * 60_000;
const BACKUP_SWEEP_MS = 10_000;
const TIME_SWEEP_MS = 5000;
const MAINTENANCE_SWEEP_MS = 2000;
const SIZE_SWEEP_MS = 60_000;

export interface Services {
  /** Ends what runs beside the requests; hosts are asked to come back later. */
  stop(): void;
}

function sweepEvery(ms: number, what: string, sweep: () => Promise<void>): NodeJS.Timeout {
  const run = () => void sweep().catch((error: unknown) => log.error({ err: error }, `the ${what} sweep failed`));
  return setInterval(run, ms).unref();
}

/** Starts what runs beside the requests: sweeps, and the join token for an agent that is deployed with the console. */
export async function startServices(): Promise<Services> {
  const stopOfflineSweep = startOfflineSweep();
  const sweeps = [
    sweepEvery(EXPIRY_SWEEP_MS, 'session', endExpiredCredentials),
    sweepEvery(RATE_LIMIT_SWEEP_MS, 'rate limit', sweepRateLimits),
    sweepEvery(AUDIT_SWEEP_MS, 'audit', sweepAudit),
    sweepEvery(NEWER_SWEEP_MS, 'newer image', sweepNewer),
    sweepEvery(BACKUP_SWEEP_MS, 'due backup', sweepDueBackups),
    sweepEvery(TIME_SWEEP_MS, 'time of workspaces', sweepTimes),
    sweepEvery(MAINTENANCE_SWEEP_MS, 'maintenance', sweepMaintenance),
    sweepEvery(BACKUP_SWEEP_MS, 'own backup', sweepAutomaticBackups),
    sweepEvery(SIZE_SWEEP_MS, 'volume size', sweepVolumeSizes),
  ];
  await sweepPartialBackups();
  await sweepPartial();
  await closeInterrupted();
  await askHostsForResources();
  const { joinTokenFile } = env();
  const stopJoinToken = joinTokenFile ? startLocalJoinToken(joinTokenFile) : undefined;
  return {
    stop() {
      stopOfflineSweep();
      sweeps.forEach(clearInterval);
      stopJoinToken?.();
      closeAllLinks();
      requestLogs().flush();
      lastUses().flush();
    },
  };
}
