'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { ImageRecord } from '@/components/data/types';
import { TemplateCard } from '@/components/records/template-card';
import { useMayCreate } from '@/components/records/use-may-create';
import { paths } from '@/lib/paths';
import { DeleteImagesDialog } from './delete-images-dialog';
import { ImageName } from './image-cells';
import { ImageTemplateRowActions } from './template-actions';
import { templateQuestion } from './template-question';

export function ImageTemplateCard() {
  const t = useTranslations('pages.images.templates');
  const mayCreate = useMayCreate('canCreateImages');
  const [leaving, setLeaving] = useState<ImageRecord>();
  return (
    <>
      <TemplateCard
        question={templateQuestion}
        title={t('title')}
        href={paths.imageTemplates}
        createHref={mayCreate ? paths.imageTemplateCreate() : undefined}
        createLabel={t('new')}
        emptyText={mayCreate ? t('empty.text') : t('empty.ask')}
        nameOf={(template) => <ImageName image={template} />}
        actionsOf={(template) => <ImageTemplateRowActions template={template} onDelete={() => setLeaving(template)} />}
      />
      {leaving && <DeleteImagesDialog images={[leaving]} onClose={() => setLeaving(undefined)} />}
    </>
  );
}
