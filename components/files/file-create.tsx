'use client';

import { useTranslations } from 'next-intl';
import { CreateForm } from '@/components/records/create-form';
import { paths } from '@/lib/paths';
import { FileFields } from './file-fields';
import { EMPTY_FILE, fileSchema, toBody } from './file-schema';

export function FileCreate() {
  const t = useTranslations('pages.files');
  return (
    <CreateForm
      collection="files"
      schema={fileSchema}
      defaultValues={EMPTY_FILE}
      words={{ title: t('create.title'), section: t('basics'), button: t('create.button') }}
      labelOf={(path) => t(`labels.${path as 'name'}`)}
      hrefOf={(id) => paths.file(id)}
      nameOf={({ name }) => name}
      toBody={toBody}
    >
      {(form) => <FileFields form={form} />}
    </CreateForm>
  );
}
