'use client';

import { useTranslations } from 'next-intl';
import type { ComponentType } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ImageRecord } from '@/components/data/types';
import { applyProblems } from '@/components/records/form-problems';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { GeneralSection, HostSection } from './general-sections';
import { imageSchema, referenceFields, toValues, type ImageValues } from './image-schema';
import { EnvironmentsSection } from './recipe/environments-section';
import { FilesSection } from './recipe/files-section';
import { PreviewSection } from './recipe/preview-section';
import { StartupSection } from './recipe/startup-section';
import { UserSection } from './recipe/user-section';

export type ImagePartName =
  'general-settings' | 'build-host' | 'user-configuration' | 'python-packages' | 'files' | 'startup-commands';

interface Part {
  id: 'general' | 'host' | 'user' | 'environments' | 'files' | 'startup';
  fields: (keyof ImageValues)[];
  Section: ComponentType<{ form: UseFormReturn<ImageValues>; image: ImageRecord; isLast?: boolean }>;
}

const parts: Record<ImagePartName, Part> = {
  'general-settings': {
    id: 'general',
    fields: ['name', 'description', 'tags', 'dockerImageName'],
    Section: GeneralSection,
  },
  'build-host': { id: 'host', fields: ['build_on'], Section: HostSection },
  'user-configuration': { id: 'user', fields: ['userConfiguration'], Section: UserSection },
  'python-packages': { id: 'environments', fields: ['channels', 'environments'], Section: EnvironmentsSection },
  files: { id: 'files', fields: ['files', 'filePaths'], Section: FilesSection },
  'startup-commands': { id: 'startup', fields: ['startupCommands'], Section: StartupSection },
};

/** One part of what an image is made of, on a tab of its own; takes effect with the next build. */
export function ImagePart({ image, part }: { image: ImageRecord; part: ImagePartName }) {
  const t = useTranslations('pages.images');
  const { id, fields, Section } = parts[part];
  const hasPreview = part === 'python-packages';
  return (
    <RecordForm
      source={useRecordSource('images', image)}
      schema={imageSchema}
      toValues={toValues}
      nameOf={(saved) => saved.name}
      {...(image.template ? {} : { savedHint: t('nextBuild') })}
      canEdit={image.can?.['modify'] === true}
      applyProblems={(form, error, fallback) =>
        applyProblems(form, error, fallback, referenceFields(image.creationType))
      }
      sections={(isWrong) => [
        { id, label: t(`recipe.${id}`), isWrong: isWrong(...fields) },
        ...(hasPreview ? [{ id: 'preview', label: t('recipe.preview') }] : []),
      ]}
      labelOf={(path) => t(`labels.${path.split('.')[0] as 'name'}`)}
    >
      {(form) => (
        <>
          <Section form={form} image={image} isLast={!hasPreview} />
          {hasPreview && <PreviewSection form={form} />}
        </>
      )}
    </RecordForm>
  );
}
