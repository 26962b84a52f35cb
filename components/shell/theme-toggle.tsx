'use client';

import { Moon, Sun } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { IconButton } from '@/components/ui/button';

export function ThemeToggle({ className }: { className?: string }) {
  const t = useTranslations('layout');
  function toggle() {
    const isDark = document.body.classList.toggle('dark');
    localStorage.setItem('berth-theme', isDark ? 'dark' : 'light');
  }
  return (
    <IconButton label={t('theme')} onClick={toggle} className={className}>
      <Moon className="size-4 dark:hidden" />
      <Sun className="hidden size-4 dark:block" />
    </IconButton>
  );
}
