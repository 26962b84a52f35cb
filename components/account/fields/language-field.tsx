'use client';

import { useTranslations } from 'next-intl';
import { Controller, type FieldPathByValue, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { Select } from '@/components/ui/select';
import { languageOf, LANGUAGES, type Language } from '@/lib/vocabulary/languages';

interface LanguageFieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPathByValue<Values, string>;
}

const BROWSER = 'browser';

/** The language of the pages and mails that a person reads; empty for the one that the browser asks for. */
export function LanguageField<Values extends FieldValues>({ form, name }: LanguageFieldProps<Values>) {
  const t = useTranslations('common.language');
  const options = [BROWSER, ...LANGUAGES].map((value) => ({ value, label: t(value as Language) }));
  return (
    <FormField
      form={form}
      name={name}
      label={t('label')}
      hint={t('hint')}
      wordsOf={(value) => options.find((option) => option.value === (value || BROWSER))?.label}
    >
      {(control) => (
        <Controller
          control={form.control}
          name={name}
          render={({ field }) => (
            <Select
              {...control}
              className="w-full max-w-80 max-sm:max-w-none"
              value={languageOf(field.value) ?? BROWSER}
              onValueChange={(value) => field.onChange(value === BROWSER ? '' : value)}
              options={options}
            />
          )}
        />
      )}
    </FormField>
  );
}
