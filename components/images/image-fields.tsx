'use client';

import { Server } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { useGivenFilter, useHostChoices } from '@/components/records/record-choices';
import { RecordField } from '@/components/records/record-field';
import { useOnlyChoice } from '@/components/records/use-only-choice';
import { Input, Textarea } from '@/components/ui/input';
import { DEFAULT_BASE_IMAGE } from '@/lib/vocabulary/image';
import type { ImageValues } from './image-schema';
import { StarterPicker } from './starter-picker';
import { wrongLineOf } from './wrong-line';

const DockerfileEditor = dynamic(() => import('./dockerfile-editor').then((module) => module.DockerfileEditor), {
  ssr: false,
  loading: () => <div className="border-line-strong min-h-[282px] rounded-md border" aria-busy="true" />,
});

const RecipeSections = dynamic(() => import('./recipe/recipe-sections').then((module) => module.RecipeSections));
const FilesSection = dynamic(() => import('./recipe/files-section').then((module) => module.FilesSection));
const PreviewSection = dynamic(() => import('./recipe/preview-section').then((module) => module.PreviewSection));

interface ImageFieldsProps {
  form: UseFormReturn<ImageValues>;
  type: ImageValues['creationType'];
  /** A built image stays on its host. */
  isHostFixed?: boolean;
  /** The line that the last build failed at. */
  failedLine?: number | undefined;
  /** Offers Dockerfiles to begin with. */
  hasStarters?: boolean;
  /** All that the image is made of, which has tabs of its own once it is there. */
  isWhole?: boolean;
}

export function ImageFields({ form, type, isHostFixed, failedLine, hasStarters, isWhole }: ImageFieldsProps) {
  const t = useTranslations('pages.images.fields');
  const common = useTranslations('common');
  const isPull = type === 'pullAnImage';
  const hasPreview = isWhole === true && type === 'generateDockerfile';
  return (
    <>
      <FormSection id="basics" title={t('basics')}>
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <FormField form={form} name="name" label={t('name')}>
            {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
          </FormField>
          <HostField form={form} isFixed={isHostFixed === true} />
        </div>
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
        <FormField form={form} name="description" label={t('description')} note={common('optional')}>
          {(control) => <Textarea {...control} rows={2} {...form.register('description')} />}
        </FormField>
      </FormSection>
      {type === 'generateDockerfile' && <BaseSection form={form} />}
      {type === 'writeDockerfile' && (
        <FormSection id="dockerfile" title={t('dockerfile')}>
          {hasStarters && <Starters form={form} />}
          <DockerfileField form={form} failedLine={failedLine} />
        </FormSection>
      )}
      {isWhole && type === 'generateDockerfile' && <RecipeSections form={form} />}
      {isWhole && !isPull && <FilesSection form={form} />}
      <FormSection id="options" title={t('options')} isLast={!hasPreview}>
        {!isPull && <FormSwitch form={form} name="force_pull_base" label={t('forcePull')} hint={t('forcePullHint')} />}
        <FormSwitch form={form} name="push_after_build" label={t('push')} hint={t('pushHint')} />
      </FormSection>
      {hasPreview && <PreviewSection form={form} />}
    </>
  );
}

function BaseSection({ form }: Pick<ImageFieldsProps, 'form'>) {
  const t = useTranslations('pages.images.fields');
  return (
    <FormSection id="base" title={t('base')}>
      <FormField form={form} name="baseImage" label={t('baseImage')} hint={t('baseImageHint')}>
        {(control) => (
          <Input
            {...control}
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder={DEFAULT_BASE_IMAGE}
            {...form.register('baseImage')}
          />
        )}
      </FormField>
    </FormSection>
  );
}

function DockerfileField({ form, failedLine }: Pick<ImageFieldsProps, 'form' | 'failedLine'>) {
  const isReadOnly = useIsReadOnly();
  const t = useTranslations('pages.images.fields');
  const problem = form.formState.errors.dockerfile?.message;
  return (
    <FormField form={form} name="dockerfile" label={t('dockerfileLabel')}>
      {(control) => (
        <Controller
          control={form.control}
          name="dockerfile"
          render={({ field }) => (
            <DockerfileEditor
              {...control}
              label={t('dockerfileLabel')}
              value={field.value}
              onChange={field.onChange}
              isReadOnly={isReadOnly}
              wrongLine={problem ? wrongLineOf(problem, field.value) : failedLine}
            />
          )}
        />
      )}
    </FormField>
  );
}

function Starters({ form }: { form: ImageFieldsProps['form'] }) {
  const value = useWatch({ control: form.control, name: 'dockerfile' });
  return (
    <StarterPicker
      value={value}
      onPick={(dockerfile) =>
        form.setValue('dockerfile', dockerfile, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
      }
    />
  );
}

function HostField({ form, isFixed }: { form: UseFormReturn<ImageValues>; isFixed: boolean }) {
  const t = useTranslations('pages.images.fields');
  const common = useTranslations('common');
  const choices = useHostChoices(useGivenFilter('host', 'canCreateImages'));
  const { isNone } = useOnlyChoice(form, 'build_on', choices);
  return (
    <RecordField
      form={form}
      name="build_on"
      choices={choices}
      label={t('host')}
      hint={isNone && !isFixed ? t('noHost') : undefined}
      icon={<Server className="text-text-3 size-4" aria-hidden="true" />}
      placeholder={t('pickHost')}
      searchLabel={common('filters.searchHosts')}
      isFixed={isFixed}
    />
  );
}
