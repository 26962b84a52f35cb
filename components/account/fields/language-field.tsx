'use client';

import { useTranslations } from 'next-intl';
import { Controller, type FieldPathByValue, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { Select } from '@/components/ui/select';

interface LanguageFieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPathByValue<Values, string>;
}

const LANGUAGES = ['en', 'hu'] as const;

/** The language of the console. Those without a translation are listed, and can't be chosen. */
export function LanguageField<Values extends FieldValues>({ form, name }: LanguageFieldProps<Values>) {
  const t = useTranslations('common.language');
  const options = LANGUAGES.map((value) => ({ value, label: t(value), isDisabled: value === 'hu' }));
  return (
    <FormField
      form={form}
      name={name}
      label={t('label')}
      hint={t('hint')}
      wordsOf={(value) => options.find((option) => option.value === value)?.label}
    >
      {(control) => (
        <Controller
          control={form.control}
          name={name}
          render={({ field }) => (
            <Select
              {...control}
              className="w-full max-w-80 max-sm:max-w-none"
              value={field.value}
              onValueChange={field.onChange}
              options={options}
            />
          )}
        />
      )}
    </FormField>
  );
}
