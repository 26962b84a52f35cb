import 'server-only';
import { quotasTable } from '@/db/schema/quotas';
import { usersTable } from '@/db/schema/users';
import type { RowOf } from '@/lib/records/collection';
import { findHeld } from '@/lib/records/held';
import { StoreReader } from '@/lib/records/transaction';
import { timesSetting } from '@/lib/settings/times-setting';
import {
  QUOTA_AMOUNTS,
  type QUOTA_SOURCES,
  QUOTA_TIMES,
  type QuotaAmount,
  type QuotaField,
  type QuotaTime,
  UNLIMITED,
} from '@/lib/vocabulary/quota';

type QuotaRow = RowOf<typeof quotasTable>;

/** How much of one amount somebody may have, null for no bound, and what says so. */
export interface Bound {
  bound: number | null;
  from: (typeof QUOTA_SOURCES)[number];
  /** Id of the group that gives it; empty where none does. */
  group: string;
}
export type Bounds = Record<QuotaAmount, Bound>;
export type TimeBounds = Record<QuotaTime, Bound>;

const quotas = { name: 'quotas', table: quotasTable };
const users = { name: 'users', table: usersTable };
const NONE: Bound = { bound: null, from: 'none', group: '' };

/**
 * What bounds a person, amount by amount: their own quota, else the most generous of their groups, else the one for everybody.
 * Admins are bound by a quota on them by name alone. Whoever is nobody is bound by nothing.
 */
export function boundsOf(userId: string): Bounds {
  const held = heldBy(userId);
  const [everybody] = held.isBound ? new StoreReader().find(quotas, { user: '', group: '' }) : [];
  const found = QUOTA_AMOUNTS.map((amount) => [
    amount,
    held.find(amount) ?? told(everybody, amount, 'default') ?? NONE,
  ]);
  return Object.fromEntries(found) as Bounds;
}

/** How far a person may go about the time of their workspaces, found as amounts are; for everybody the settings say it. */
export function timeBoundsOf(userId: string): TimeBounds {
  const held = heldBy(userId);
  const setting = timesSetting();
  const usual = (time: QuotaTime): Bound =>
    held.isBound && setting[time] > 0 ? { bound: setting[time], from: 'default', group: '' } : NONE;
  return Object.fromEntries(QUOTA_TIMES.map((time) => [time, held.find(time) ?? usual(time)])) as TimeBounds;
}

interface Held {
  /** Whether what is for groups and for everybody binds them. */
  isBound: boolean;
  find(field: QuotaField): Bound | undefined;
}

function heldBy(userId: string): Held {
  const [user] = userId === '' ? [] : new StoreReader().findParts(users, ['isAdmin'], { id: userId });
  const rows = user ? findHeld(quotas, { userId, match: {} }).map(({ row }) => row) : [];
  const own = rows.find((row) => row.user === userId);
  const isBound = user !== undefined && !user.isAdmin;
  const ofGroups = isBound ? rows.filter((row) => row.group !== '') : [];
  return { isBound, find: (field) => told(own, field, 'user') ?? mostGenerous(ofGroups, field) };
}

function told(row: QuotaRow | undefined, field: QuotaField, from: Bound['from']): Bound | undefined {
  const value = row?.[field] ?? null;
  if (!row || value === null) return undefined;
  return { bound: value === UNLIMITED ? null : value, from, group: row.group };
}

function mostGenerous(rows: readonly QuotaRow[], field: QuotaField): Bound | undefined {
  const size = ({ bound }: Bound) => bound ?? Infinity;
  return rows
    .flatMap((row) => told(row, field, 'group') ?? [])
    .reduce<Bound | undefined>((best, each) => (best && size(best) >= size(each) ? best : each), undefined);
}
