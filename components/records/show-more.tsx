'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';

/** Below a list that has more; nothing where it has not. */
export function ShowMore({ onClick }: { onClick: (() => void) | undefined }) {
  const t = useTranslations('common.list');
  if (!onClick) return null;
  return (
    <div className="grid justify-items-center py-1.5">
      <Button variant="ghost" size="sm" onClick={onClick}>
        {t('showMore')}
      </Button>
    </div>
  );
}
