'use client';

import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import type { GroupRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { Input, Textarea } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';

export const groupSchema = z.object({
  name: z.string().trim().min(1, 'required').max(limits.nameLength),
  description: z.string().max(limits.descriptionLength),
});
export type GroupValues = z.infer<typeof groupSchema>;

export const toValues = ({ name, description }: GroupRecord): GroupValues => ({ name, description });

export function GroupFields({ form }: { form: UseFormReturn<GroupValues> }) {
  const t = useTranslations('pages.groups');
  return (
    <FormSection id="basics" title={t('basics')} isLast>
      <FormField form={form} name="name" label={t('labels.name')} hint={t('nameHint')}>
        {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
      </FormField>
      <FormField form={form} name="description" label={t('labels.description')}>
        {(control) => <Textarea {...control} rows={4} {...form.register('description')} />}
      </FormField>
    </FormSection>
  );
}
