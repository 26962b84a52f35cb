'use client';

import { useTranslations } from 'next-intl';
import { Glyph } from '@/components/ui/glyph';
import { passwordRules } from './password-rules';

/** The rules of a password, each ticked once it is met. */
export function PasswordChecks({ value }: { value: string }) {
  const t = useTranslations('common.password');
  return (
    <span className="flex flex-wrap gap-x-3.5 gap-y-1">
      {passwordRules.map((rule) => {
        const isMet = rule.isMet(value);
        return (
          <span key={rule.key} className="inline-flex items-center gap-1.5">
            <Glyph kind={isMet ? 'done' : 'off'} className="!size-3" />
            {t(`rules.${rule.key}`)}
            <span className="sr-only">{isMet ? t('met') : t('notMet')}</span>
          </span>
        );
      })}
    </span>
  );
}
