import 'server-only';
import type { WriteTransaction } from '@/lib/records/transaction';
import { removeObjectsOfHost } from './link/desired-objects';
import { removeIdentity } from './link/host-identities';
import { closeLink, lostLinks } from './link/links';
import { removeUnknownOfHost } from './link/unknown-objects';
import { forgetProofs } from './link/used-proofs';

/** Revokes the key of a host whose record goes, in the same transaction; its link ends once that has committed. */
export function revokeHost(tx: WriteTransaction, hostId: string): void {
  removeIdentity(tx, hostId);
  removeObjectsOfHost(tx, hostId);
  removeUnknownOfHost(tx, hostId);
  tx.afterCommit.push(() => {
    closeLink(hostId, 'The host was removed');
    forgetProofs(hostId);
    lostLinks.delete(hostId);
  });
}
