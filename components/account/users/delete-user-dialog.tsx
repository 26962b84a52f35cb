'use client';

import { Boxes, KeyRound, Shield } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { DeleteDialog } from '@/components/records/delete-dialog';
import { displayName } from '@/components/records/person';

interface DeleteUserDialogProps {
  user: UserRecord;
  onClose: () => void;
  /** Before anything that shows the user asks for them again. */
  onDeleted?: () => void;
}

export function DeleteUserDialog({ user, onClose, onDeleted }: DeleteUserDialogProps) {
  const t = useTranslations('pages.users.deletion');
  const common = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  async function remove() {
    await (await ready()).collection('users').delete(user.id);
    tell.done(common('told.deleted', { name: displayName(user) }));
    onDeleted?.();
    await refresh('users');
  }
  return (
    <DeleteDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title', { name: displayName(user) })}
      text={t('text')}
      verification={user.username}
      confirmLabel={t('button')}
      gone={[
        { icon: <KeyRound />, name: t('sessions') },
        { icon: <Shield />, name: t('permissions') },
      ]}
      kept={[{ icon: <Boxes />, name: t('records'), detail: t('recordsDetail') }]}
      onDelete={remove}
    />
  );
}
