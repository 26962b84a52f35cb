'use client';

import { imageReference } from '@/lib/vocabulary/image-reference';
import { Layers, Server } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import type { WorkspaceRecord } from '@/components/data/types';
import { initialsOf } from '@/components/records/format';
import { PicturePicker } from '@/components/records/picture-picker';
import { workspaceIconUrl } from '@/components/records/workspace-icon';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { useGivenFilter, useHostChoices, type RecordChoices } from '@/components/records/record-choices';
import { allOf } from '@/components/records/search/filter-text';
import { RecordField } from '@/components/records/record-field';
import { TagField } from '@/components/records/tags/tag-field';
import { useMayCreate } from '@/components/records/use-may-create';
import { useOnlyChoice } from '@/components/records/use-only-choice';
import { Input, Textarea } from '@/components/ui/input';
import { paths } from '@/lib/paths';
import { useHostChange } from './use-host-change';
import type { WorkspaceValues } from './workspace-schema';

interface SectionProps {
  form: UseFormReturn<WorkspaceValues>;
  /** One that is there stays on its host. */
  workspace?: WorkspaceRecord | undefined;
}

export function BasicsSection({ form, workspace }: SectionProps) {
  const t = useTranslations('pages.workspaces.fields');
  const common = useTranslations('common');
  return (
    <FormSection id="basics" title={t('basics')}>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        <FormField form={form} name="name" label={t('name')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
        </FormField>
        <HostPicker form={form} isHostFixed={workspace !== undefined} />
      </div>
      <ImagePicker form={form} />
      <FormField form={form} name="description" label={t('description')} note={common('optional')}>
        {(control) => <Textarea {...control} rows={2} {...form.register('description')} />}
      </FormField>
      <TagField form={form} />
      <IconField form={form} workspace={workspace} />
    </FormSection>
  );
}

function IconField({ form, workspace }: SectionProps) {
  const t = useTranslations('pages.workspaces.fields');
  const isReadOnly = useIsReadOnly();
  const name = useWatch({ control: form.control, name: 'name' });
  if (isReadOnly) return null;
  return (
    <div role="group" aria-label={t('icon')} data-path="icon">
      <div className="text-table mb-1.5 leading-4 font-medium">{t('icon')}</div>
      <Controller
        control={form.control}
        name="icon"
        render={({ field }) => (
          <PicturePicker
            shape="square"
            picture={field.value}
            onPick={field.onChange}
            storedUrl={workspace && workspaceIconUrl(workspace)}
            placeholder={<span className="font-semibold">{initialsOf(name)}</span>}
          />
        )}
      />
    </div>
  );
}

function HostPicker({ form, isHostFixed }: { form: UseFormReturn<WorkspaceValues>; isHostFixed: boolean }) {
  const t = useTranslations('pages.workspaces.fields');
  const common = useTranslations('common');
  const choices = useHostChoices(useGivenFilter('host', 'canCreateWorkspaces'));
  const { isNone } = useOnlyChoice(form, 'host', choices);
  const cleared = useHostChange(form);
  return (
    <RecordField
      form={form}
      name="host"
      choices={choices}
      label={t('host')}
      hint={
        isNone && !isHostFixed ? (
          t('noHost')
        ) : (
          <span role="status">
            {cleared.length > 0 && t('cleared', { what: cleared.map((each) => t(`clearedOf.${each}`)).join(', ') })}
          </span>
        )
      }
      icon={<Server className="text-text-3 size-4" aria-hidden="true" />}
      placeholder={t('pickHost')}
      searchLabel={common('filters.searchHosts')}
      isFixed={isHostFixed}
    />
  );
}

function ImagePicker({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.fields');
  const isReadOnly = useIsReadOnly();
  const mayMake = useMayCreate('canCreateImages');
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
      hint={
        isNone && !isReadOnly
          ? t.rich(mayMake ? 'noImage' : 'noImageAsk', {
              make: (chunks) => (
                <Link href={paths.imageCreate} className="text-accent-text rounded-sm font-medium hover:underline">
                  {chunks}
                </Link>
              ),
            })
          : undefined
      }
      icon={<Layers className="text-text-3 size-4" aria-hidden="true" />}
      placeholder={t('pickImage')}
      searchLabel={t('searchImages')}
    />
  );
}
