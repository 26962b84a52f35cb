'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { showToast } from '@/components/ui/toast';
import { onLimitExceeded } from './client';

/** Tells, on every page, when the server has had too many calls: in its own words, and once for a burst of them. */
export function LimitNotice() {
  const t = useTranslations('common.errors');
  useEffect(() => {
    onLimitExceeded((message) =>
      showToast({ id: 'limit', tone: 'bad', title: t('limitExceeded'), detail: message || t('general') }),
    );
    return () => onLimitExceeded(undefined);
  }, [t]);
  return null;
}
