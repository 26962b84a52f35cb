import { tellPerson } from '@/lib/notices/collection';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { TimeNotice } from '@/lib/vocabulary/time-notices';

/** Tells a workspace's owner something about its time. Does nothing where it has no owner any more. */
export function tellOwner(
  tx: WriteTransaction,
  { id, name, created_by }: { id: string; name: string; created_by: string },
  told: { kind: TimeNotice; details: Record<string, string | number> },
): void {
  if (!tx.prepare('SELECT 1 FROM users WHERE id = ?').get(created_by)) return;
  tellPerson(tx, { user: created_by, workspace: id, name, ...told });
}
