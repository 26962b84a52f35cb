import 'server-only';
import type { Account } from '@/lib/auth/accounts';
import type { AuditAction } from '@/lib/vocabulary/audit';
import { recordAudit, type AuditOrigin } from '@/lib/records/audit';
import type { WriteTransaction } from '@/lib/records/transaction';

/** Puts what someone did to their own account, by a mailed link, into the audit log. */
export function auditAccountAct(
  tx: WriteTransaction,
  action: AuditAction,
  { account, from }: { account: Account; from: AuditOrigin },
): void {
  const { id, isAdmin, name, username } = account;
  const on = { collection: 'users', record: id, name: name || username };
  recordAudit(tx, { action, actor: { kind: 'user', id, isAdmin }, from, on });
}
