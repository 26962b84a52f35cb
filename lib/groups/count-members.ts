import 'server-only';
import { registerAfterWrite } from '@/lib/records/hooks';
import type { WriteTransaction } from '@/lib/records/transaction';
import { groups } from './collection';
import { groupMembers } from './members';

/** Has each group say how many it has, whichever way they come and go. */
export function registerMemberCounts(): void {
  registerAfterWrite(groupMembers.name, ({ action, tx, row }) => {
    if (action !== 'update') countMember(tx, String(row.group), action === 'create' ? 1 : -1);
  });
}

export function countMember(tx: WriteTransaction, groupId: string, change: number): void {
  const group = tx.get(groups, groupId);
  if (group) tx.observe(groups, groupId, { memberCount: group.memberCount + change });
}
