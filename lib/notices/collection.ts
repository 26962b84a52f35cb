import { timeNoticesTable } from '@/db/schema/workspaces';
import { nobody, self, type Policy } from '@/lib/policies/rules';
import { defineCollection } from '@/lib/records/collection';
import { searched, shown } from '@/lib/records/fields/access';
import { writtenJson } from '@/lib/records/fields/json';
import { relation } from '@/lib/records/fields/relation';
import { text } from '@/lib/records/fields/text';
import type { WriteTransaction } from '@/lib/records/transaction';
import type { TimeNotice } from '@/lib/vocabulary/time-notices';

/** Notices that are kept of a person. */
const KEPT = 100;
/** Old ones that go with a new one. */
const PRUNED_AT_ONCE = 20;

const own = self('user');

/** For the person alone whom it tells, admins too: what is told others is no news to them. */
const timeNoticesPolicy: Policy<'view'> = {
  list: own,
  view: own,
  create: nobody,
  update: nobody,
  delete: nobody,
  can: { view: own },
};

export const timeNotices = defineCollection({
  id: 'berthtimenotice',
  name: 'time_notices',
  table: timeNoticesTable,
  fields: {
    user: searched(relation('users', { required: true, cascadeDelete: true })),
    workspace: searched(text()),
    host: searched(text()),
    name: searched(text()),
    kind: searched(text()),
    details: shown(writtenJson<Record<string, string | number>>({ unset: {} })),
  },
  policy: timeNoticesPolicy,
});

const OLD = `SELECT id FROM time_notices WHERE "user" = ? ORDER BY created DESC LIMIT ${PRUNED_AT_ONCE} OFFSET ${KEPT}`;

/** What somebody was told of one measure of a host. */
const EARLIER = `SELECT id FROM time_notices WHERE "user" = ? AND host = ? AND kind IN ('hostAbove', 'hostOver')
  AND json_extract(details, '$.measure') = ?`;

/** What somebody is told, about a workspace or a host. */
interface Told {
  user: string;
  workspace?: string;
  host?: string;
  /** What it is called now. */
  name: string;
  kind: TimeNotice;
  details: Record<string, string | number>;
}

/** Tells a person something; the oldest of what they were told goes. The caller knows that the person is there. */
export function tellPerson(tx: WriteTransaction, told: Told): void {
  for (const old of tx.prepare<{ id: string }>(OLD).all(told.user)) tx.remove(timeNotices, old.id);
  tx.insert(timeNotices, told);
}

/** Tells a person how a measure of a host is now, instead of what they were told of it before. */
export function tellPersonAnew(
  tx: WriteTransaction,
  told: Told & { host: string; details: { measure: string } },
): void {
  const { user, host, details } = told;
  for (const { id } of tx.prepare<{ id: string }>(EARLIER).all(user, host, details.measure)) tx.remove(timeNotices, id);
  tellPerson(tx, told);
}
