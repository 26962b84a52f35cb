'use client';

import { useTranslations } from 'next-intl';
import { setTheme, useTheme } from '@/components/data/theme';
import { Segmented } from '@/components/ui/segmented';

/** Light, dark or as the system is; it counts at once, and for this browser. */
export function ThemeChoice() {
  const t = useTranslations('pages.profile.theme');
  const theme = useTheme() ?? 'system';
  return (
    <div className="text-table">
      <div className="mb-1.5 leading-4 font-medium">{t('label')}</div>
      <Segmented
        size="md"
        label={t('label')}
        value={theme}
        onValueChange={setTheme}
        options={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: t(value) }))}
      />
      <p className="text-small text-text-3 mt-1.5">{t('hint')}</p>
    </div>
  );
}
