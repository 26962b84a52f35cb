'use client';

import { useTranslations } from 'next-intl';
import { showToast } from '@/components/ui/toast';
import { fieldProblems, hasTimedOut, isToldElsewhere, messageOf } from './problems';
import { inPageLanguage } from './server-words';

/** Toasts for what happened: good news in a line, failures in the server's own words. */
export function useTell() {
  const t = useTranslations('common.errors');
  return {
    done: (title: string, detail?: string) => showToast({ tone: 'ok', title, detail }),
    /** A form's fields that the server refused are told of beside them; this is for whoever looks elsewhere. */
    refused: (error: unknown) => {
      if (fieldProblems(error).length > 0) showToast({ id: 'refused', tone: 'bad', title: t('failed'), detail: t('invalid') });
    },
    warned: (title: string, detail: string) => showToast({ tone: 'warn', title, detail }),
    failed: (title: string, error: unknown) => {
      if (isToldElsewhere(error)) return;
      const problems = fieldProblems(error).map((problem) => inPageLanguage(problem.message));
      showToast({ tone: 'bad', title, detail: problems.join(' ') || messageOf(error) || t(hasTimedOut(error) ? 'timeout' : 'general') });
    },
  };
}
