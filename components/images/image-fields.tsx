'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { TagField } from '@/components/records/tags/tag-field';
import { Input } from '@/components/ui/input';
import { DEFAULT_BASE_IMAGE } from '@/lib/vocabulary/image';
import { HostField } from './host-field';
import type { ImageValues } from './image-schema';
import { DescriptionField, NameField, ReferenceField } from './name-fields';
import { StarterPicker } from './starter-picker';
import { wrongLineOf } from './wrong-line';

const DockerfileEditor = dynamic(() => import('./dockerfile-editor').then((module) => module.DockerfileEditor), {
  ssr: false,
  loading: () => <div className="border-line-strong min-h-[282px] rounded-md border" aria-busy="true" />,
});

const DockerfileButton = dynamic(() => import('./carry/dockerfile-button').then((module) => module.DockerfileButton));
const ParametersSection = dynamic(() => import('./parameters-section').then((module) => module.ParametersSection));
const RecipeSections = dynamic(() => import('./recipe/recipe-sections').then((module) => module.RecipeSections));
const FilesSection = dynamic(() => import('./recipe/files-section').then((module) => module.FilesSection));
const PreviewSection = dynamic(() => import('./recipe/preview-section').then((module) => module.PreviewSection));

interface SourceProps {
  form: UseFormReturn<ImageValues>;
  type: ImageValues['creationType'];
  /** The line that the last build failed at. */
  failedLine?: number | undefined;
  /** Offers Dockerfiles to begin with. */
  hasStarters?: boolean;
}

/** All that a new image is made of; once it is there, the parts have tabs of their own. */
export function ImageFields({
  form,
  type,
  hasStarters = false,
  isTemplate,
}: Omit<SourceProps, 'failedLine'> & { isTemplate: boolean }) {
  const t = useTranslations('pages.images.fields');
  const isPull = type === 'pullAnImage';
  const isGenerated = type === 'generateDockerfile';
  return (
    <>
      <FormSection id="basics" title={t('basics')}>
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <NameField form={form} />
          <HostField form={form} />
        </div>
        <ReferenceField form={form} isPull={isPull} />
        <DescriptionField form={form} />
        <TagField form={form} />
      </FormSection>
      <SourceSection form={form} type={type} hasStarters={hasStarters} />
      {isGenerated && <RecipeSections form={form} />}
      {!isPull && <FilesSection form={form} />}
      {type === 'writeDockerfile' && <ParametersSection form={form} hasSecrets={!isTemplate} />}
      {!isPull && <OptionsSection form={form} isLast={!isGenerated} />}
      {isGenerated && <PreviewSection form={form} />}
    </>
  );
}

/** What an image is made from, by its kind, with how that is done. */
export function ImageSettingsFields({ form, type, failedLine, isTemplate }: SourceProps & { isTemplate: boolean }) {
  const t = useTranslations('pages.images.fields');
  if (type !== 'pullAnImage')
    return (
      <>
        <SourceSection form={form} type={type} failedLine={failedLine} />
        {type === 'writeDockerfile' && <ParametersSection form={form} hasSecrets={!isTemplate} />}
        <OptionsSection form={form} isLast />
      </>
    );
  return (
    <FormSection id="source" title={t('source')} isLast>
      <ReferenceField form={form} isPull />
    </FormSection>
  );
}

function SourceSection({ form, type, failedLine, hasStarters }: SourceProps) {
  const t = useTranslations('pages.images.fields');
  const isReadOnly = useIsReadOnly();
  if (type === 'pullAnImage') return null;
  if (type === 'generateDockerfile') return <BaseSection form={form} />;
  return (
    <FormSection
      id="dockerfile"
      title={t('dockerfile')}
      aside={
        !isReadOnly && (
          <DockerfileButton
            onTake={(dockerfile) =>
              form.setValue('dockerfile', dockerfile, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
            }
          />
        )
      }
    >
      {hasStarters && <Starters form={form} />}
      <DockerfileField form={form} failedLine={failedLine} />
    </FormSection>
  );
}

function OptionsSection({ form, isLast }: Pick<SourceProps, 'form'> & { isLast: boolean }) {
  const t = useTranslations('pages.images.fields');
  return (
    <FormSection id="options" title={t('options')} isLast={isLast}>
      <FormSwitch form={form} name="force_pull_base" label={t('forcePull')} hint={t('forcePullHint')} />
      <FormSwitch form={form} name="push_after_build" label={t('push')} hint={t('pushHint')} />
    </FormSection>
  );
}

function BaseSection({ form }: Pick<SourceProps, 'form'>) {
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

function DockerfileField({ form, failedLine }: Pick<SourceProps, 'form' | 'failedLine'>) {
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

function Starters({ form }: { form: SourceProps['form'] }) {
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
