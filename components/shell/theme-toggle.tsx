'use client';

import { Moon, Sun } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { IconButton } from '@/components/ui/button';
import { toggleTheme } from '@/components/data/theme';

export function ThemeToggle({ className }: { className?: string }) {
  const t = useTranslations('layout');
  return (
    <IconButton label={t('theme')} onClick={toggleTheme} className={className}>
      <Moon className="size-4 dark:hidden" />
      <Sun className="hidden size-4 dark:block" />
    </IconButton>
  );
}
