import 'server-only';
import { AppError } from '@/lib/errors';
import { singleton } from '@/lib/singleton';

/** Proofs that one host may have in the air at once: far beyond what an agent sends in ten minutes. */
const PROOFS_PER_HOST = 20_000;

/** Ids of the proofs that each host has used, until they would be too old anyway. By host, so none can crowd out another. */
const usedByHost = singleton('used-proofs', () => new Map<string, Map<string, number>>());

/**
 * Notes the use of a proof; false when it was used before. Throws `rate_limited` when a host has more unexpired proofs
 * than are kept: an unchecked one is never let through.
 */
export function takeProof(hostId: string, proof: { id: string; expiresAtMs: number; nowMs: number }): boolean {
  let used = usedByHost.get(hostId);
  if (!used) usedByHost.set(hostId, (used = new Map()));
  for (const [id, expiresAtMs] of used) {
    if (expiresAtMs >= proof.nowMs) break;
    used.delete(id);
  }
  if (used.has(proof.id)) return false;
  if (used.size >= PROOFS_PER_HOST) {
    throw new AppError('rate_limited', 'The agent sends more requests than are taken.', { retryAfterSeconds: 60 });
  }
  used.set(proof.id, proof.expiresAtMs);
  return true;
}

export function forgetProofs(hostId: string): void {
  usedByHost.delete(hostId);
}
