'use client';

import { useTranslations } from 'next-intl';
import type { ImageRecord } from '@/components/data/types';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { ImageFields } from './image-fields';
import { imageSchema, toValues } from './image-schema';
import { useImageSections } from './image-sections';

/** What an image is made of; takes effect with the next build. */
export function ImageSettings({ image }: { image: ImageRecord }) {
  const t = useTranslations('pages.images');
  return (
    <RecordForm
      source={useRecordSource('images', image)}
      schema={imageSchema}
      toValues={toValues}
      nameOf={(saved) => saved.name}
      savedHint={t('nextBuild')}
      canEdit={image.can?.['modify'] === true}
      {...useImageSections(image.creationType)}
    >
      {(form) => <ImageFields form={form} type={image.creationType} isHostFixed />}
    </RecordForm>
  );
}
