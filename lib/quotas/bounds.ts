import 'server-only';
import { quotasTable } from '@/db/schema/quotas';
import { usersTable } from '@/db/schema/users';
import type { RowOf } from '@/lib/records/collection';
import { findHeld } from '@/lib/records/held';
import { StoreReader } from '@/lib/records/transaction';
import { QUOTA_AMOUNTS, type QUOTA_SOURCES, type QuotaAmount, UNLIMITED } from '@/lib/vocabulary/quota';

type QuotaRow = RowOf<typeof quotasTable>;

/** How much of one amount somebody may have, null for no bound, and what says so. */
export interface Bound {
  bound: number | null;
  from: (typeof QUOTA_SOURCES)[number];
  /** Id of the group that gives it; empty where none does. */
  group: string;
}
export type Bounds = Record<QuotaAmount, Bound>;

const quotas = { name: 'quotas', table: quotasTable };
const users = { name: 'users', table: usersTable };
const NONE: Bound = { bound: null, from: 'none', group: '' };

/**
 * What bounds a person, amount by amount: their own quota, else the most generous of their groups, else the one for everybody.
 * Admins are bound by a quota on them by name alone. Whoever is nobody is bound by nothing.
 */
export function boundsOf(userId: string): Bounds {
  const reader = new StoreReader();
  const [user] = userId === '' ? [] : reader.findParts(users, ['isAdmin'], { id: userId });
  const rows = user ? findHeld(quotas, { userId, match: {} }).map(({ row }) => row) : [];
  const [everybody] = user ? reader.find(quotas, { user: '', group: '' }) : [];
  const own = rows.find((row) => row.user === userId);
  const ofGroups = rows.filter((row) => row.group !== '');
  const others = user?.isAdmin ? [] : { ofGroups, everybody };
  return Object.fromEntries(
    QUOTA_AMOUNTS.map((amount) => {
      const found =
        told(own, amount, 'user') ??
        ('ofGroups' in others
          ? (mostGenerous(others.ofGroups, amount) ?? told(others.everybody, amount, 'default'))
          : undefined);
      return [amount, found ?? NONE];
    }),
  ) as Bounds;
}

function told(row: QuotaRow | undefined, amount: QuotaAmount, from: Bound['from']): Bound | undefined {
  const value = row?.[amount] ?? null;
  if (!row || value === null) return undefined;
  return { bound: value === UNLIMITED ? null : value, from, group: row.group };
}

function mostGenerous(rows: readonly QuotaRow[], amount: QuotaAmount): Bound | undefined {
  const size = ({ bound }: Bound) => bound ?? Infinity;
  return rows
    .flatMap((row) => told(row, amount, 'group') ?? [])
    .reduce<Bound | undefined>((best, each) => (best && size(best) >= size(each) ? best : each), undefined);
}
