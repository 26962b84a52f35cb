'use client';

import { ready } from '@/components/data/client';
import { useFirstRecords, useRecordIfAny } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { CollectionName, PermissionRecord, UserRecord } from '@/components/data/types';

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
  userId: string;
}

/** A person, and their permission on the resource where they have one. */
export async function findGranted(
  granted: Granted,
): Promise<{ user: UserRecord; record: PermissionRecord | undefined }> {
  const { collection, filter, userId } = granted;
  const client = await ready();
  const [user, { items }] = await Promise.all([
    client.collection('users').getOne<UserRecord>(userId),
    client
      .collection(collection)
      .getList<PermissionRecord>(1, 1, { filter: `${filter} && user = '${userId}'`, expand: 'user', skipTotal: true }),
  ]);
  return { user, record: items[0] };
}
