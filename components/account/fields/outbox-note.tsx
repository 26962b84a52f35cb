'use client';

import { Inbox } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Notice } from '@/components/ui/notice';

/** Where mails are while the console has no mail server. */
export function OutboxNote() {
  const t = useTranslations('common.mails');
  return (
    <Notice tone="warn" icon={<Inbox aria-hidden="true" className="mt-0.5 shrink-0 self-start" />}>
      {t('outbox')}
    </Notice>
  );
}
