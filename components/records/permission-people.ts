'use client';

import { ready } from '@/components/data/client';
import { useFirstRecords, useRecordIfAny } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { CollectionName, GroupRecord, PermissionRecord, UserRecord } from '@/components/data/types';
import type { Holder } from './permission-draft';

/** Who may do everything without a permission: the creator, and the admins as far as the viewer may know them. */
export function useFixedPeople(creatorId: string): { people: UserRecord[]; moreAdmins: number } {
  const viewer = useViewer();
  const creator = useRecordIfAny('users', creatorId);
  const admins = useFirstRecords(
    'users',
    { filter: `isAdmin = true && id != '${creatorId}'`, sort: 'name' },
    { step: 10, isEnabled: viewer.isAdmin },
  );
  const people = [...(creator ? [creator] : []), ...admins.items];
  return { people, moreAdmins: admins.total - admins.items.length };
}

interface Granted {
  collection: Extract<CollectionName, `${string}_permissions`>;
  /** Of the resource. */
  filter: string;
  kind: Holder['kind'];
  id: string;
}

/** A person or a group, and their permission on the resource where they have one. */
export async function findGranted(granted: Granted): Promise<{ holder: Holder; record: PermissionRecord | undefined }> {
  const { collection, filter, kind, id } = granted;
  const client = await ready();
  const [holder, { items }] = await Promise.all([
    kind === 'user'
      ? client
          .collection('users')
          .getOne<UserRecord>(id)
          .then((user): Holder => ({ kind, id, user }))
      : client
          .collection('groups')
          .getOne<GroupRecord>(id)
          .then((group): Holder => ({ kind, id, group })),
    client.collection(collection).getList<PermissionRecord>(1, 1, {
      filter: `${filter} && ${kind} = '${id}'`,
      expand: 'user,group',
      skipTotal: true,
    }),
  ]);
  return { holder, record: items[0] };
}
