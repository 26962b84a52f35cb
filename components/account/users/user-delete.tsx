'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { UserRecord } from '@/components/data/types';
import { displayName } from '@/components/records/person';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { DeleteUserDialog } from './delete-user-dialog';

/** Takes a person's account away. */
export function UserDelete({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users.deletion');
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="max-w-[660px]">
      <h2 className="font-semibold">{t('heading', { name: displayName(user) })}</h2>
      <p className="text-table text-text-2 mt-1 mb-3">{t('text')}</p>
      <Button variant="danger" onClick={() => setOpen(true)}>
        {t('button')}
      </Button>
      {isOpen && (
        <DeleteUserDialog user={user} onClose={() => setOpen(false)} onDeleted={() => router.push(paths.users)} />
      )}
    </div>
  );
}
