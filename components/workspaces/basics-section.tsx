'use client';

import { Layers, Server } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useAllRecords } from '@/components/data/records';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { useOnlyChoice } from '@/components/records/use-only-choice';
import { Input, Textarea } from '@/components/ui/input';
import { Picker } from '@/components/ui/picker';
import type { WorkspaceValues } from './workspace-schema';
import { imageReference } from '@/lib/domain/workspace-spec';

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
  const query = useAllRecords('hosts', { sort: 'name' });
  const hosts = query.data ?? [];
  const usable = isHostFixed ? hosts : hosts.filter((host) => host.can?.['canCreateWorkspaces']);
  useOnlyChoice(form, 'host', usable);
  return (
    <Controller
      control={form.control}
      name="host"
      render={({ field }) => (
        <FormField
          form={form}
          name="host"
          label={t('host')}
          hint={query.isSuccess && usable.length === 0 ? t('noHost') : undefined}
        >
          {(control) => (
            <Picker
              {...control}
              data-path="host"
              icon={<Server className="text-text-3 size-4" aria-hidden="true" />}
              value={field.value}
              onValueChange={field.onChange}
              disabled={isHostFixed}
              placeholder={t('pickHost')}
              searchLabel={common('filters.searchHosts')}
              emptyText={common('list.noOption')}
              options={usable.map((host) => ({
                value: host.id,
                text: host.name,
                detail: host.status === 'online' ? host.engine?.kind : common('hostStatus.offline'),
                isDisabled: !host.enabled,
              }))}
            />
          )}
        </FormField>
      )}
    />
  );
}

function ImagePicker({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.fields');
  const common = useTranslations('common');
  const hostId = useWatch({ control: form.control, name: 'host' });
  const query = useAllRecords('images', { filter: 'template = false', sort: 'name', expand: 'build_on' });
  const images = query.data ?? [];
  const usable = images.filter((image) => image.can?.['deploy']);
  useOnlyChoice(form, 'image', usable);
  // Images that lie on the picked host come first.
  const sorted = [...usable].sort((a, b) => Number(b.build_on === hostId) - Number(a.build_on === hostId));
  return (
    <Controller
      control={form.control}
      name="image"
      render={({ field }) => (
        <FormField
          form={form}
          name="image"
          label={t('image')}
          hint={query.isSuccess && usable.length === 0 ? t('noImage') : undefined}
        >
          {(control) => (
            <Picker
              {...control}
              data-path="image"
              icon={<Layers className="text-text-3 size-4" aria-hidden="true" />}
              value={field.value}
              onValueChange={field.onChange}
              placeholder={t('pickImage')}
              searchLabel={t('searchImages')}
              emptyText={common('list.noOption')}
              options={sorted.map((image) => ({
                value: image.id,
                text: image.name,
                label: <span className="mono">{imageReference(image)}</span>,
                detail: t('imageDetail', {
                  name: image.name,
                  number: image.buildNumber,
                  host: image.expand?.build_on?.name ?? '–',
                }),
                isDisabled: !image.enabled,
              }))}
            />
          )}
        </FormField>
      )}
    />
  );
}
