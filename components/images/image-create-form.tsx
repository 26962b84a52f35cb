'use client';

import { Info } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { FormLayout } from '@/components/records/form-layout';
import { listProblems, wrongFields } from '@/components/records/form-problems';
import { SaveBar } from '@/components/records/save-bar';
import { schemaResolver } from '@/components/records/schema-resolver';
import { STARTERS } from '@/components/records/starters';
import { useTypedForm } from '@/components/records/use-typed-form';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { ModKbd } from '@/components/ui/mod-kbd';
import { Notice } from '@/components/ui/notice';
import { paths } from '@/lib/paths';
import { ImageFields } from './image-fields';
import { emptyImage, imageSchema, type ImageValues } from './image-schema';
import { useImageSections } from './image-sections';
import { valuesFrom, type ImageSource } from './image-source';
import { useCreateImage } from './use-create-image';

interface ImageCreateFormProps {
  type: ImageValues['creationType'];
  isTemplate: boolean;
  /** What it begins with. */
  source: ImageSource | undefined;
  /** One was named that can't be had. */
  hasNoSource: boolean;
}

export function ImageCreateForm({ type, isTemplate, source, hasNoSource }: ImageCreateFormProps) {
  const t = useTranslations('pages.images');
  const common = useTranslations('common');
  const isPull = type === 'pullAnImage';
  const form = useTypedForm<ImageValues>({
    shouldFocusError: false,
    resolver: schemaResolver(imageSchema),
    defaultValues: source ? valuesFrom(source) : emptyImage(type, STARTERS[0].dockerfile),
  });
  const problems = listProblems(form.formState.errors);
  const { sections, labelOf } = useImageSections(type, true);
  const { isDirty, isSubmitting } = form.formState;
  const { create, messages, isDone } = useCreateImage(form, { type, isTemplate });
  useUnsavedGuard(isDirty && !isDone);

  return (
    <FormLayout
      isNew
      indexLabel={common('form.index')}
      sections={sections(wrongFields(problems))}
      onSubmit={() => void create(!isTemplate)}
      bar={
        <SaveBar
          problems={problems}
          labelOf={labelOf}
          messages={messages}
          actions={
            <>
              {isTemplate ? (
                <Button asChild variant="ghost" className="max-sm:hidden">
                  <Link href={paths.imageTemplates}>{common('actions.cancel')}</Link>
                </Button>
              ) : (
                <Button isBusy={isSubmitting} onClick={() => void create(false)}>
                  {isPull ? t('create.pullLater') : t('create.buildLater')}
                </Button>
              )}
              <Button type="submit" variant="primary" data-key-save="" isBusy={isSubmitting}>
                {isTemplate ? t('templates.save') : isPull ? t('create.andPull') : t('create.andBuild')}
                <ModKbd letter="↵" isOnAccent />
              </Button>
            </>
          }
        />
      }
    >
      {hasNoSource && (
        <Notice tone="warn" icon={<Info aria-hidden="true" />} className="mb-4">
          {t('create.noSource')}
        </Notice>
      )}
      <ImageFields form={form} type={type} hasStarters={!source} isTemplate={isTemplate} />
    </FormLayout>
  );
}
