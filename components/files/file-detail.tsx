'use client';

import { paths } from '@/lib/paths';
import { Download, FileText, Link2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import type { FileRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { permissionsTab } from '@/components/records/permissions-tab';
import { Person } from '@/components/records/person';
import { RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { Button } from '@/components/ui/button';
import { Card, Facts } from '@/components/ui/parts';
import { FileDelete } from './file-delete';
import { FileImages } from './file-images';
import { FilePreview } from './file-preview';
import { useDownload } from './use-file-address';

const FileSettings = dynamic(() => import('./file-settings').then((module) => module.FileSettings));

const FLAGS = ['view', 'modify', 'delete'] as const;

export function FileDetail({ fileId }: { fileId: string }) {
  const query = useRecord('files', fileId, 'created_by');
  return (
    <RecordPage query={query} nameOf={(file) => file.name}>
      {(file) => <FileView file={file} />}
    </RecordPage>
  );
}

function FileView({ file }: { file: FileRecord }) {
  const t = useTranslations('pages.files');
  const common = useTranslations('common');
  const download = useDownload();
  const isUpload = file.type === 'upload';
  const tabs: DetailTab[] = [
    { value: 'overview', label: t('tabs.overview'), panel: () => <FileOverview file={file} /> },
    {
      value: 'basic-information',
      label: t('tabs.basic-information'),
      look: 'form',
      panel: () => <FileSettings key={file.id} file={file} />,
    },
    permissionsTab(file, {
      label: t('tabs.permissions'),
      collection: 'file_permissions',
      field: 'file',
      flags: FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) })),
      implied: 'view',
    }),
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: file.can?.['delete'] === true,
      isTail: true,
      panel: () => <FileDelete file={file} />,
    },
  ];
  return (
    <RecordDetail
      icon={isUpload ? <FileText /> : <Link2 />}
      name={file.name}
      status={<span className="text-table text-text-2">{t(`types.${file.type}`)}</span>}
      actions={() =>
        isUpload && (
          <Button onClick={() => void download(file)}>
            <Download className="size-4" aria-hidden="true" />
            {t('download')}
          </Button>
        )
      }
      tags={{ tags: file.tags, list: paths.files }}
      tabs={tabs}
    />
  );
}

function FileOverview({ file }: { file: FileRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.files');
  const isUpload = file.type === 'upload';
  return (
    <div className="grid grid-cols-2 items-start gap-3.5 max-lg:grid-cols-1">
      <div className="grid min-w-0 gap-3.5">
        <Card title={t('facts')}>
          <Facts
            items={[
              ...(isUpload
                ? [
                    { name: t('size'), value: bytes(file.size) },
                    { name: t('content'), value: <span className="mono">{file.content_type}</span> },
                  ]
                : [
                    {
                      name: t('labels.url'),
                      value: <span className="mono break-all whitespace-normal">{file.url}</span>,
                    },
                  ]),
              { name: t('owner'), value: <Person user={file.expand?.created_by} /> },
              { name: t('changed'), value: <Age at={file.updated} /> },
              ...(file.description
                ? [
                    {
                      name: t('labels.description'),
                      value: <span className="whitespace-normal">{file.description}</span>,
                    },
                  ]
                : []),
            ]}
          />
        </Card>
        <FileImages fileId={file.id} />
      </div>
      {isUpload && <FilePreview key={file.file} file={file} />}
    </div>
  );
}
