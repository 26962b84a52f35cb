'use client';

import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { TagField } from '@/components/records/tags/tag-field';
import { Input, Textarea } from '@/components/ui/input';
import { RadioList } from '@/components/ui/radio-list';
import { FilePicker } from './file-picker';
import type { FileValues } from './file-schema';
import { FILE_TYPES } from './file-types';

interface FileFieldsProps {
  form: UseFormReturn<FileValues>;
  /** What is there stays of its kind. */
  isTypeFixed?: boolean;
}

export function FileFields({ form, isTypeFixed = false }: FileFieldsProps) {
  const t = useTranslations('pages.files');
  const common = useTranslations('common');
  const type = useWatch({ control: form.control, name: 'type' });
  return (
    <FormSection id="basics" title={t('basics')} isLast>
      {!isTypeFixed && (
        <Controller
          control={form.control}
          name="type"
          render={({ field }) => (
            <RadioList
              label={t('source')}
              value={field.value}
              onChange={field.onChange}
              options={FILE_TYPES.map((value) => ({
                value,
                label: t(`types.${value}`),
                text: t(`typeTexts.${value}`),
              }))}
            />
          )}
        />
      )}
      {type === 'upload' ? (
        <UploadField form={form} />
      ) : (
        <FormField form={form} name="url" label={t('labels.url')}>
          {(control) => (
            <Input
              {...control}
              isMono
              autoComplete="off"
              spellCheck={false}
              placeholder="https://example.org/data.tar.gz"
              {...form.register('url')}
            />
          )}
        </FormField>
      )}
      <FormField form={form} name="name" label={t('labels.name')}>
        {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
      </FormField>
      <FormField form={form} name="description" label={t('labels.description')} note={common('optional')}>
        {(control) => <Textarea {...control} rows={2} {...form.register('description')} />}
      </FormField>
      <TagField form={form} />
    </FormSection>
  );
}

/** What is chosen names the record, where that has no name yet. */
function UploadField({ form }: { form: UseFormReturn<FileValues> }) {
  const t = useTranslations('pages.files');
  const stored = useWatch({ control: form.control, name: 'stored' });
  return (
    <FormField form={form} name="file" label={t('labels.file')} hint={t('fileHint')} wordsOf={() => t('fileChanged')}>
      {(control) => (
        <Controller
          control={form.control}
          name="file"
          render={({ field }) => (
            <FilePicker
              {...control}
              file={field.value}
              stored={stored}
              onPick={(file) => {
                field.onChange(file);
                if (file && form.getValues('name').trim() === '')
                  form.setValue('name', file.name, { shouldDirty: true });
                if (form.formState.isSubmitted) void form.trigger();
              }}
            />
          )}
        />
      )}
    </FormField>
  );
}
