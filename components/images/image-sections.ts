'use client';

import { useTranslations } from 'next-intl';
import type { FormSectionItem } from '@/components/records/form-layout';
import type { ImageValues } from './image-schema';

/** The sections of the image’s settings with their marks, and the words of its fields; the form of a new one has all of them. */
export function useImageSections(
  type: ImageValues['creationType'],
  isWhole = false,
): {
  sections: (isWrong: (...fields: string[]) => boolean) => FormSectionItem[];
  labelOf: (path: string) => string;
} {
  const t = useTranslations('pages.images');
  return {
    labelOf: (path) => t(`labels.${path.split('.')[0] as 'name'}`),
    sections: (isWrong) => [
      ...(isWhole
        ? [
            {
              id: 'basics',
              label: t('fields.basics'),
              isWrong: isWrong('creationType', 'name', 'description', 'tags', 'build_on', 'dockerImageName'),
            },
          ]
        : type === 'pullAnImage'
          ? [{ id: 'source', label: t('fields.source'), isWrong: isWrong('dockerImageName') }]
          : []),
      ...(type === 'writeDockerfile'
        ? [{ id: 'dockerfile', label: t('fields.dockerfile'), isWrong: isWrong('dockerfile') }]
        : []),
      ...(type === 'generateDockerfile'
        ? [{ id: 'base', label: t('fields.base'), isWrong: isWrong('baseImage') }]
        : []),
      ...(isWhole ? recipe(isWrong) : []),
      ...(type === 'pullAnImage'
        ? []
        : [
            ...(type === 'writeDockerfile'
              ? [{ id: 'parameters', label: t('parameters.title'), isWrong: isWrong('buildArguments', 'buildSecrets') }]
              : []),
            { id: 'options', label: t('fields.options'), isWrong: isWrong('force_pull_base', 'push_after_build') },
          ]),
      ...(isWhole && type === 'generateDockerfile' ? [{ id: 'preview', label: t('recipe.preview') }] : []),
    ],
  };

  function recipe(isWrong: (...fields: string[]) => boolean): FormSectionItem[] {
    if (type === 'pullAnImage') return [];
    const files = { id: 'files', label: t('recipe.files'), isWrong: isWrong('files', 'filePaths') };
    if (type === 'writeDockerfile') return [files];
    return [
      { id: 'environments', label: t('recipe.environments'), isWrong: isWrong('channels', 'environments') },
      { id: 'startup', label: t('recipe.startup'), isWrong: isWrong('startupCommands') },
      { id: 'user', label: t('recipe.user'), isWrong: isWrong('userConfiguration') },
      files,
    ];
  }
}
