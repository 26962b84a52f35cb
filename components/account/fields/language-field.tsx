'use client';

import { useTranslations } from 'next-intl';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';

/** The language of the console. Those without a translation are listed, and can't be chosen. */
export function LanguageField({ value, onChange }: { value: string; onChange: (language: string) => void }) {
  const t = useTranslations('common.language');
  return (
    <Field label={t('label')} hint={t('hint')}>
      {(control) => (
        <Select
          {...control}
          className="w-full max-w-80 max-sm:max-w-none"
          value={value}
          onValueChange={onChange}
          options={[
            { value: 'en', label: t('en') },
            { value: 'hu', label: t('hu'), isDisabled: true },
          ]}
        />
      )}
    </Field>
  );
}
