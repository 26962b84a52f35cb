'use client';

import { useTranslations } from 'next-intl';
import type { ImageRecord } from '@/components/data/types';
import { applyProblems } from '@/components/records/form-problems';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { ImageSettingsFields } from './image-fields';
import { imageSchema, referenceFields, toValues } from './image-schema';
import { useImageSections } from './image-sections';
import { wrongLineOf } from './wrong-line';

/** What an image is made of; takes effect with the next build. */
export function ImageSettings({ image }: { image: ImageRecord }) {
  const t = useTranslations('pages.images');
  const failedLine = image.status === 'error' ? wrongLineOf(image.statusMessage, image.dockerfile) : undefined;
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
      {...useImageSections(image.creationType)}
    >
      {(form) => (
        <ImageSettingsFields
          form={form}
          type={image.creationType}
          failedLine={failedLine}
          isTemplate={image.template}
        />
      )}
    </RecordForm>
  );
}
