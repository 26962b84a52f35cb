'use client';

import { useTranslations } from 'next-intl';
import type { FormSectionItem } from '@/components/records/form-layout';
import type { ImageValues } from './image-schema';

/** The sections of the image form with their marks, and the words of its fields. */
export function useImageSections(type: ImageValues['creationType']): {
  sections: (isWrong: (...fields: string[]) => boolean) => FormSectionItem[];
  labelOf: (path: string) => string;
} {
  const t = useTranslations('pages.images');
  return {
    labelOf: (path) => t(`labels.${path as 'name'}`),
    sections: (isWrong) => [
      {
        id: 'basics',
        label: t('fields.basics'),
        isWrong: isWrong('creationType', 'name', 'description', 'build_on', 'dockerImageName'),
      },
      ...(type === 'pullAnImage'
        ? []
        : [{ id: 'dockerfile', label: t('fields.dockerfile'), isWrong: isWrong('dockerfile') }]),
      { id: 'options', label: t('fields.options'), isWrong: isWrong('force_pull_base', 'push_after_build') },
    ],
  };
}
