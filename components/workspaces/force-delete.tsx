'use client';

import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { Checkbox } from '@/components/ui/checkbox';

/** For admins, while the host is away: forget the record without waiting for the host to clean up. */
export function ForceDelete({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const t = useTranslations('common.delete');
  const id = useId();
  return (
    <div className="border-warn-line bg-warn-soft text-table flex gap-2.5 rounded-md border px-3 py-2.5">
      <Checkbox id={id} className="mt-0.5" checked={checked} onCheckedChange={(next) => onChange(next === true)} />
      <label htmlFor={id}>
        <span className="block font-medium">{t('force')}</span>
        <span className="text-small text-text-2">{t('forceText')}</span>
      </label>
    </div>
  );
}
