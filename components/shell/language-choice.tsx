'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { keepLanguage } from '@/components/data/language';
import { Button } from '@/components/ui/button';
import { LANGUAGES } from '@/lib/vocabulary/languages';

/** The languages that the page is not in, each by its own name: for those who have no account to keep one. */
export function LanguageChoice() {
  const t = useTranslations('common.language');
  const router = useRouter();
  const current = useLocale();
  return LANGUAGES.filter((language) => language !== current).map((language) => (
    <Button
      key={language}
      variant="ghost"
      lang={language}
      onClick={() => {
        keepLanguage(language);
        router.refresh();
      }}
    >
      {t(language)}
    </Button>
  ));
}
