import 'server-only';
import { nowMs } from '@/lib/clock';
import { offlineAfterMs } from '@/lib/vocabulary/host';
import { getIdentity, putInstance, type HostIdentity } from './host-identities';
import type { WriteTransaction } from '@/lib/records/transaction';
import { lostLinks } from './links';
import { refusal } from './refusals';

/**
 * How long a process must have been silent for another to take its place. One that lost its link and then missed a
 * heartbeat has most likely ended; without that sign it gets as long as makes a host offline.
 */
function staleAfterMs(hostId: string, heartbeatIntervalSeconds: number): number {
  return lostLinks.has(hostId) ? heartbeatIntervalSeconds * 1500 : offlineAfterMs(heartbeatIntervalSeconds);
}

/**
 * Makes sure that a process of the agent may speak for its host: the one that does already, or a new one once the other
 * is stale, or at once where the new one has seen that the other has ended. Throws `duplicateInstance`.
 */
export function claimInstance(
  tx: WriteTransaction,
  identity: HostIdentity,
  { instance, replaces = [] }: { instance: string; replaces?: readonly string[] },
  heartbeatIntervalSeconds: number,
): HostIdentity {
  if (identity.instanceId === instance) return identity;
  const silentMs = nowMs() - identity.lastSeenMs;
  const isKnownToHaveEnded = identity.instanceId === '' || replaces.includes(identity.instanceId);
  if (!isKnownToHaveEnded && silentMs < staleAfterMs(identity.hostId, heartbeatIntervalSeconds)) {
    throw refusal(
      'duplicateInstance',
      `Another agent speaks for this host; it was last seen ${Math.round(silentMs / 1000)} s ago. Stop one of the two.`,
    );
  }
  putInstance(tx, identity.hostId, instance);
  return { ...identity, instanceId: instance, reportSequence: 0 };
}

/** Lets the next process speak at once: the present one has said that it stops. */
export function releaseInstance(tx: WriteTransaction, hostId: string, instance: string): void {
  if (getIdentity(hostId)?.instanceId === instance) putInstance(tx, hostId, '');
}
