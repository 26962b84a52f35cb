'use client';

import { api } from '@/components/data/client';
import { useViewer } from '@/components/data/session-provider';
import type { UserRecord } from '@/components/data/types';
import { InitialsAvatar } from '@/components/ui/parts';
import { initialsOf } from './format';

type Named = Pick<UserRecord, 'id' | 'name' | 'username' | 'avatar'>;

export function displayName(user: Pick<UserRecord, 'name' | 'username'>): string {
  return user.name || user.username;
}

/** Address of a user's picture as a small square; empty without one. */
export function avatarUrl(user: Named): string {
  if (!user.avatar) return '';
  return api().files.getUrl({ id: user.id, collectionName: 'users' }, user.avatar, { thumb: '300x300' });
}

export function PersonAvatar({ user, size }: { user: Named; size?: 'sm' | 'md' | 'lg' | 'xl' }) {
  const viewer = useViewer();
  return (
    <InitialsAvatar
      initials={initialsOf(displayName(user))}
      isOwn={user.id === viewer.id}
      size={size}
      imageUrl={avatarUrl(user)}
    />
  );
}

/** Picture and name on one line; nothing when the person is not known. */
export function Person({ user }: { user: UserRecord | undefined }) {
  if (!user) return null;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <PersonAvatar user={user} />
      <span className="truncate">{displayName(user)}</span>
    </span>
  );
}
