'use client';

import { useTranslations } from 'next-intl';
import { QuotaUsage } from '@/components/records/quota/quota-usage';

/** What bounds one's own workspaces and volumes. */
export function OwnQuota({ userId }: { userId: string }) {
  const t = useTranslations('pages.quotas');
  return (
    <div className="grid max-w-[660px] grid-cols-[minmax(0,1fr)] gap-3.5">
      <p className="text-table text-text-2">{t('own')}</p>
      <QuotaUsage userId={userId} />
    </div>
  );
}
