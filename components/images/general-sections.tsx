'use client';

import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import type { ImageRecord } from '@/components/data/types';
import { FormSection } from '@/components/records/form-layout';
import { TagField } from '@/components/records/tags/tag-field';
import { HostField } from './host-field';
import type { ImageValues } from './image-schema';
import { DescriptionField, NameField, ReferenceField } from './name-fields';

interface SectionProps {
  form: UseFormReturn<ImageValues>;
  image: ImageRecord;
}

/** What an image is called. What is pulled is called as where it comes from, which is one of its settings. */
export function GeneralSection({ form, image }: SectionProps) {
  const t = useTranslations('pages.images');
  return (
    <FormSection id="general" title={t('recipe.general')} isLast>
      <NameField form={form} />
      {image.creationType !== 'pullAnImage' && <ReferenceField form={form} isPull={false} />}
      <DescriptionField form={form} />
      <TagField form={form} />
    </FormSection>
  );
}

/** Where an image is built: open until its first build. */
export function HostSection({ form, image }: SectionProps) {
  const t = useTranslations('pages.images');
  return (
    <FormSection id="host" title={t('recipe.host')} text={t('recipe.hostText')} isLast>
      <HostField form={form} isFixed={image.buildNumber > 0} />
    </FormSection>
  );
}
