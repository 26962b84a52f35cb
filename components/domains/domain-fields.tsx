'use client';

import { Server } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import type { DomainRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { useHostChoices } from '@/components/records/record-choices';
import { RecordField } from '@/components/records/record-field';
import { TagField } from '@/components/records/tags/tag-field';
import { tagsSchema } from '@/components/records/tags/tags-schema';
import { Input } from '@/components/ui/input';
import { isDomainName } from '@/lib/vocabulary/domain-name';

export const domainSchema = z.object({
  url: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'required')
    .refine((url) => url === '' || isDomainName(url), 'invalidDomain'),
  host: z.string(),
  tags: tagsSchema,
});
export type DomainValues = z.infer<typeof domainSchema>;

export const toValues = ({ url, host, tags }: DomainRecord): DomainValues => ({ url, host, tags });

export function DomainFields({ form }: { form: UseFormReturn<DomainValues> }) {
  const t = useTranslations('pages.domains');
  const common = useTranslations('common');
  const choices = useHostChoices();
  return (
    <FormSection id="basics" title={t('basics')} isLast>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        <FormField form={form} name="url" label={t('labels.url')} hint={t('urlHint')}>
          {(control) => (
            <Input
              {...control}
              isMono
              autoComplete="off"
              spellCheck={false}
              placeholder="apps.example.org"
              {...form.register('url')}
            />
          )}
        </FormField>
        <RecordField
          form={form}
          name="host"
          choices={choices}
          label={t('labels.host')}
          hint={t('hostHint')}
          icon={<Server className="text-text-3 size-4" aria-hidden="true" />}
          placeholder={t('anyHost')}
          searchLabel={common('filters.searchHosts')}
        />
      </div>
      <TagField form={form} />
    </FormSection>
  );
}
