import { usersTable } from '@/db/schema/users';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { usersPolicy } from './policy';
import { defineCollection, type RowOf, type Viewer } from '@/lib/records/collection';
import { ownOnly, searched, visibleWhen } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { email } from '@/lib/records/fields/email';
import { file } from '@/lib/records/fields/file';
import { text } from '@/lib/records/fields/text';
import { allCollections } from '@/lib/records/registry';
import type { WriteTransaction } from '@/lib/records/transaction';
import { checkAccount, hasOtherAdmin, prepareAccount } from './checks';
import { PICTURE_TYPES } from '@/lib/records/pictures';

export type UserRow = RowOf<typeof usersTable>;

export const users = defineCollection({
  id: '_pb_users_auth_',
  name: 'users',
  table: usersTable,
  isAuth: true,
  fields: {
    username: searched(text()),
    email: searched(visibleWhen('emailVisibility', email())),
    emailVisibility: searched(bool()),
    verified: searched(bool()),
    name: searched(text({ max: limits.nameLength })),
    avatar: searched(file({ mimeTypes: PICTURE_TYPES, thumbs: ['300x300'] })),
    isAdmin: searched(ownOnly(bool())),
    language: searched(ownOnly(text({ max: 20 }))),
    enabled: searched(ownOnly(bool())),
    passwordHash: text({ serverWritten: true }),
    tokenKey: text({ serverWritten: true }),
  },
  policy: usersPolicy,
  hooks: {
    prepare: prepareAccount,
    checkSystem: checkAccount,
    beforeDelete({ actor, tx, row }) {
      if (row.isAdmin && row.enabled && !hasOtherAdmin(tx, row.id)) {
        throw new AppError('invalid', 'Failed to delete record. The last admin can not be deleted.');
      }
      moveBelongings(tx, { from: row.id, to: heirOf(actor, { tx, row }) });
    },
  },
  present(wire, row, viewer) {
    if (!showsEmail(row, viewer)) delete wire.email;
    if (hasFullAccess(viewer.actor) || actorUserId(viewer.actor) === row.id) return;
    delete wire.isAdmin;
    delete wire.language;
    delete wire.enabled;
  },
});

/** Shown where its owner allows it, to its owner, and to admins. A realtime message goes by stricter rules. */
function showsEmail(row: UserRow, { actor, isRealtime }: Viewer): boolean {
  if (row.emailVisibility) return true;
  const isSelf = actorUserId(actor) === row.id;
  return isRealtime ? isSelf && hasFullAccess(actor) : isSelf || hasFullAccess(actor);
}

function otherAdmin(tx: WriteTransaction, id: string): UserRow | undefined {
  const admins = tx.find({ name: 'users', table: usersTable }, { isAdmin: true }, { orderBy: 'created', limit: 2 });
  return admins.find((user) => user.id !== id);
}

/** Who gets what a deleted user made: the deleting admin, else the first one. */
function heirOf(actor: Actor, { tx, row }: { tx: WriteTransaction; row: UserRow }): string {
  const deleting = actorUserId(actor);
  return deleting !== '' && deleting !== row.id ? deleting : (otherAdmin(tx, row.id)?.id ?? '');
}

function moveBelongings(tx: WriteTransaction, { from, to }: { from: string; to: string }): void {
  for (const collection of allCollections()) {
    if (!collection.fields.has('created_by')) continue;
    const owned = tx.find(collection, { created_by: from } as never) as { id: string }[];
    for (const { id } of owned) tx.patch(collection, id, { created_by: to } as never);
  }
}
