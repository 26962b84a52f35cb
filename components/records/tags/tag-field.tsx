'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import {
  Controller,
  type FieldPath,
  type FieldPathByValue,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import { useIsReadOnly } from '../form-access';
import { FormField } from '../form-field';

const TagInput = dynamic(() => import('./tag-input').then((module) => module.TagInput), {
  loading: () => <div className="border-line-strong min-h-8 rounded-md border max-lg:min-h-9" aria-busy="true" />,
});

interface TagFieldProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
}

/** The tags of a record in its form, whose field is called so. */
export function TagField<Values extends FieldValues & { tags: string[] }>({ form }: TagFieldProps<Values>) {
  const t = useTranslations('common');
  const isReadOnly = useIsReadOnly();
  const name = 'tags' as FieldPath<Values>;
  return (
    <FormField form={form} name={name} label={t('tags.label')} note={t('optional')} hint={t('tags.hint')}>
      {(control) => (
        <Controller
          control={form.control}
          name={name as FieldPathByValue<Values, string[]>}
          render={({ field }) => (
            <TagInput
              {...control}
              value={field.value as string[]}
              onChange={field.onChange}
              isReadOnly={isReadOnly}
              onProblem={(problem) =>
                problem ? form.setError(name, { type: 'tags', message: problem }) : form.clearErrors(name)
              }
            />
          )}
        />
      )}
    </FormField>
  );
}
