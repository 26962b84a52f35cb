'use client';

import { imageReference } from '@/lib/vocabulary/image-reference';
import { Layers, Server } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { allOf, useGivenFilter, useHostChoices, type RecordChoices } from '@/components/records/record-choices';
import { RecordField } from '@/components/records/record-picker';
import { useOnlyChoice } from '@/components/records/use-only-choice';
import { Input, Textarea } from '@/components/ui/input';
import type { WorkspaceValues } from './workspace-schema';

interface SectionProps {
  form: UseFormReturn<WorkspaceValues>;
  /** A workspace stays on its host. */
  isHostFixed?: boolean;
}

export function BasicsSection({ form, isHostFixed }: SectionProps) {
  const t = useTranslations('pages.workspaces.fields');
  const common = useTranslations('common');
  return (
    <FormSection id="basics" title={t('basics')}>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        <FormField form={form} name="name" label={t('name')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
        </FormField>
        <HostPicker form={form} isHostFixed={isHostFixed === true} />
      </div>
      <ImagePicker form={form} />
      <FormField form={form} name="description" label={t('description')} note={common('optional')}>
        {(control) => <Textarea {...control} rows={2} {...form.register('description')} />}
      </FormField>
    </FormSection>
  );
}

function HostPicker({ form, isHostFixed }: { form: UseFormReturn<WorkspaceValues>; isHostFixed: boolean }) {
  const t = useTranslations('pages.workspaces.fields');
  const common = useTranslations('common');
  const choices = useHostChoices(useGivenFilter('host', 'canCreateWorkspaces'));
  const { isNone } = useOnlyChoice(form, 'host', choices);
  return (
    <RecordField
      form={form}
      name="host"
      choices={choices}
      label={t('host')}
      hint={isNone && !isHostFixed ? t('noHost') : undefined}
      icon={<Server className="text-text-3 size-4" aria-hidden="true" />}
      placeholder={t('pickHost')}
      searchLabel={common('filters.searchHosts')}
      isFixed={isHostFixed}
    />
  );
}

function ImagePicker({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.fields');
  const hostId = useWatch({ control: form.control, name: 'host' });
  const given = useGivenFilter('image', 'deploy');
  const choices: RecordChoices<'images'> = {
    collection: 'images',
    searchFields: ['name', 'repository', 'dockerImageName'],
    filter: allOf('template = false', given),
    // Images that lie on the picked host come first.
    ...(hostId && { firstFilter: `build_on = '${hostId}'` }),
    expand: 'build_on',
    toOption: (image) => ({
      value: image.id,
      text: image.name,
      label: <span className="mono">{imageReference(image)}</span>,
      detail: t('imageDetail', {
        name: image.name,
        number: image.buildNumber,
        host: image.expand?.build_on?.name ?? '–',
      }),
      isDisabled: !image.enabled,
    }),
  };
  const { isNone } = useOnlyChoice(form, 'image', choices);
  return (
    <RecordField
      form={form}
      name="image"
      choices={choices}
      label={t('image')}
      hint={isNone ? t('noImage') : undefined}
      icon={<Layers className="text-text-3 size-4" aria-hidden="true" />}
      placeholder={t('pickImage')}
      searchLabel={t('searchImages')}
    />
  );
}
