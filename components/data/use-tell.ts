'use client';

import { useTranslations } from 'next-intl';
import { showToast } from '@/components/ui/toast';
import { fieldProblems, isToldElsewhere, messageOf } from './problems';

/** Toasts for what happened: good news in a line, failures in the server's own words. */
export function useTell() {
  const t = useTranslations('common.errors');
  return {
    done: (title: string, detail?: string) => showToast({ tone: 'ok', title, detail }),
    failed: (title: string, error: unknown) => {
      if (isToldElsewhere(error)) return;
      const problems = fieldProblems(error).map((problem) => problem.message);
      showToast({ tone: 'bad', title, detail: problems.join(' ') || messageOf(error) || t('general') });
    },
  };
}
