'use client';

import { Server } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { useRecordIfAny } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import { CreateForm } from '@/components/records/create-form';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { useHostChoices } from '@/components/records/record-choices';
import { RecordField } from '@/components/records/record-field';
import { TagField } from '@/components/records/tags/tag-field';
import { tagsSchema } from '@/components/records/tags/tags-schema';
import { useVolumeHostsFilter } from '@/components/records/use-may-create';
import { useOnlyChoice } from '@/components/records/use-only-choice';
import { Input } from '@/components/ui/input';
import { paths } from '@/lib/paths';
import { isolationOf } from '@/lib/vocabulary/host-isolation';
import { limits } from '@/lib/vocabulary/limits';

const volumeSchema = z.object({
  name: z.string().trim().min(1, 'required').max(limits.nameLength),
  host: z.string().min(1, 'required'),
  path_on_host: z.string().trim().max(limits.pathLength),
  tags: tagsSchema,
});
type VolumeValues = z.infer<typeof volumeSchema>;

export function VolumeCreate() {
  const t = useTranslations('pages.volumes');
  return (
    <CreateForm
      collection="volumes"
      schema={volumeSchema}
      defaultValues={{ name: '', host: '', path_on_host: '', tags: [] }}
      words={{ title: t('create.title'), section: t('create.basics'), button: t('create.button') }}
      labelOf={(path) => t(`labels.${path as 'name'}`)}
      hrefOf={(id) => paths.volume(id)}
      nameOf={({ name }) => name}
    >
      {(form) => <VolumeFields form={form} />}
    </CreateForm>
  );
}

function VolumeFields({ form }: { form: UseFormReturn<VolumeValues> }) {
  const t = useTranslations('pages.volumes');
  const common = useTranslations('common');
  const choices = useHostChoices(useVolumeHostsFilter());
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
      <FormField
        form={form}
        name="path_on_host"
        label={t('labels.path_on_host')}
        note={common('optional')}
        hint={useFolderHint(form)}
      >
        {(control) => (
          <Input {...control} isMono autoComplete="off" spellCheck={false} {...form.register('path_on_host')} />
        )}
      </FormField>
      <TagField form={form} />
    </FormSection>
  );
}

/** Where on the picked host folders may lie. */
function useFolderHint(form: UseFormReturn<VolumeValues>): string {
  const t = useTranslations('pages.volumes.create');
  const viewer = useViewer();
  const host = useRecordIfAny('hosts', useWatch({ control: form.control, name: 'host' }));
  const roots = host?.engine?.bindRoots;
  if (!roots || !host) return t('pathHint');
  if (roots.length === 0) return t('noRoots');
  const isShared = isolationOf(host).sharedBindFolders;
  const folders = roots.map((root) => (isShared ? root : `${root === '/' ? '' : root}/${viewer.id}`));
  return t('pathIn', { folders: folders.join(', ') });
}
