'use client';

import { Server } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { CreateForm } from '@/components/records/create-form';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { useGivenFilter, useHostChoices } from '@/components/records/record-choices';
import { RecordField } from '@/components/records/record-field';
import { TagField } from '@/components/records/tags/tag-field';
import { tagsSchema } from '@/components/records/tags/tags-schema';
import { useOnlyChoice } from '@/components/records/use-only-choice';
import { Input } from '@/components/ui/input';
import { paths } from '@/lib/paths';
import { limits } from '@/lib/vocabulary/limits';

const networkSchema = z.object({
  name: z.string().trim().min(1, 'required').max(limits.nameLength),
  host: z.string().min(1, 'required'),
  tags: tagsSchema,
});
type NetworkValues = z.infer<typeof networkSchema>;

export function NetworkCreate() {
  const t = useTranslations('pages.networks');
  return (
    <CreateForm
      collection="networks"
      schema={networkSchema}
      defaultValues={{ name: '', host: '', tags: [] }}
      words={{ title: t('create.title'), section: t('create.basics'), button: t('create.button') }}
      labelOf={(path) => t(`labels.${path as 'name'}`)}
      hrefOf={(id) => paths.network(id)}
      nameOf={({ name }) => name}
    >
      {(form) => <NetworkFields form={form} />}
    </CreateForm>
  );
}

function NetworkFields({ form }: { form: UseFormReturn<NetworkValues> }) {
  const t = useTranslations('pages.networks');
  const common = useTranslations('common');
  const choices = useHostChoices(useGivenFilter('host', 'canCreateNetworks'));
  const { isNone } = useOnlyChoice(form, 'host', choices);
  return (
    <FormSection id="basics" title={t('create.basics')} isLast>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        <FormField form={form} name="name" label={t('labels.name')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
        </FormField>
        <RecordField
          form={form}
          name="host"
          choices={choices}
          label={t('labels.host')}
          hint={isNone ? t('create.noHost') : undefined}
          icon={<Server className="text-text-3 size-4" aria-hidden="true" />}
          placeholder={t('create.pickHost')}
          searchLabel={common('filters.searchHosts')}
        />
      </div>
      <TagField form={form} />
    </FormSection>
  );
}
