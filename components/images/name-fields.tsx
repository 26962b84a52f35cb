'use client';

import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { Input, Textarea } from '@/components/ui/input';
import type { ImageValues } from './image-schema';

interface FieldProps {
  form: UseFormReturn<ImageValues>;
}

export function NameField({ form }: FieldProps) {
  const t = useTranslations('pages.images.fields');
  return (
    <FormField form={form} name="name" label={t('name')}>
      {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
    </FormField>
  );
}

/** What the image is called: where it is pulled from, or what it is pushed as. */
export function ReferenceField({ form, isPull }: FieldProps & { isPull: boolean }) {
  const t = useTranslations('pages.images.fields');
  const common = useTranslations('common');
  return (
    <FormField
      form={form}
      name="dockerImageName"
      label={isPull ? t('pullName') : t('imageName')}
      {...(isPull ? {} : { note: common('optional') })}
      hint={isPull ? t('pullHint') : t('imageNameHint')}
    >
      {(control) => (
        <Input
          {...control}
          isMono
          autoComplete="off"
          spellCheck={false}
          placeholder={isPull ? 'docker.io/library/postgres:17' : ''}
          {...form.register('dockerImageName')}
        />
      )}
    </FormField>
  );
}

export function DescriptionField({ form }: FieldProps) {
  const t = useTranslations('pages.images.fields');
  const common = useTranslations('common');
  return (
    <FormField form={form} name="description" label={t('description')} note={common('optional')}>
      {(control) => <Textarea {...control} rows={2} {...form.register('description')} />}
    </FormField>
  );
}
