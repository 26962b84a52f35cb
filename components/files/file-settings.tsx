'use client';

import { useTranslations } from 'next-intl';
import type { FileRecord } from '@/components/data/types';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { FileFields } from './file-fields';
import { fileSchema, toBody, toValues } from './file-schema';

/** Name and content of a file; images get what is stored at their next build. */
export function FileSettings({ file }: { file: FileRecord }) {
  const t = useTranslations('pages.files');
  return (
    <RecordForm
      source={useRecordSource('files', file)}
      schema={fileSchema}
      toValues={toValues}
      toBody={toBody}
      nameOf={(saved) => saved.name}
      savedHint={t('nextBuild')}
      canEdit={file.can?.['modify'] === true}
      sections={(isWrong) => [
        { id: 'basics', label: t('basics'), isWrong: isWrong('name', 'description', 'url', 'file', 'tags') },
      ]}
      labelOf={(path) => t(`labels.${path as 'name'}`)}
    >
      {(form) => <FileFields form={form} isTypeFixed />}
    </RecordForm>
  );
}
