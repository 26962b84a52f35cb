'use client';

import clsx from 'clsx';
import { LogOut } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { api } from '@/components/data/client';
import type { Viewer } from '@/components/data/types';
import { initialsOf } from '@/components/records/format';
import { IconButton } from '@/components/ui/button';
import { InitialsAvatar } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { useSignOut } from './use-sign-out';

/** Who is signed in, and the way out. */
export function ProfileArea({ viewer }: { viewer: Viewer }) {
  const t = useTranslations('layout');
  const { isLeaving, signOut } = useSignOut();
  const pathname = usePathname();
  const name = viewer.name || viewer.username;
  const picture = viewer.avatar
    ? api().files.getUrl({ id: viewer.id, collectionName: 'users' }, viewer.avatar, { thumb: '300x300' })
    : '';

  return (
    <div className={clsx('shrink-0 px-3 py-2', !viewer.isAdmin && 'border-line border-t')}>
      <div className="collapsed:flex-col collapsed:px-0 flex items-center gap-2.5 py-1.5 pr-1.5 pl-2">
        <Link
          href={paths.profile}
          title={t('profile')}
          aria-current={pathname === paths.profile ? 'page' : undefined}
          className="hover:bg-hover aria-current:bg-active rounded-ctl collapsed:m-0 collapsed:flex-none -my-1 -ml-1 flex min-w-0 flex-1 items-center gap-2.5 p-1"
        >
          <InitialsAvatar initials={initialsOf(name)} isOwn size="md" imageUrl={picture} />
          <span className="collapsed:sr-only min-w-0 flex-1 leading-4">
            <span className="text-table block truncate font-medium">{name}</span>
            <span className="text-small text-text-3 block truncate">
              {viewer.isAdmin ? t('admin') : viewer.username}
            </span>
            <span className="sr-only">{t('profile')}</span>
          </span>
        </Link>
        <IconButton label={t('signOut')} disabled={isLeaving} onClick={() => void signOut()}>
          <LogOut className="size-4" />
        </IconButton>
      </div>
    </div>
  );
}
