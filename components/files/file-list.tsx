'use client';

import { FileText, Link2, Plus, Shapes } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { FileRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { fieldIs } from '@/components/records/search/filter-text';
import { useFormats } from '@/components/records/use-formats';
import { useOwnerFilter } from '@/components/records/list-filters-common';
import type { ListDefinition } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { RecordList } from '@/components/records/record-list';
import { LinkedName } from '@/components/records/linked-name';
import { fieldTerm } from '@/components/records/search/search-terms';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { FILE_TYPES } from './file-types';
import { fileQuestion } from './list-question';

export function FileList() {
  const { bytes } = useFormats();
  const t = useTranslations('pages.files');
  const common = useTranslations('common');
  const list: ListDefinition<'files'> = {
    ...fileQuestion,
    title: t('title'),
    searchLabel: t('search'),
    searchFields: ['name'],
    rowName: (file) => file.name,
    actions: (
      <Button asChild>
        <Link href={paths.fileCreate} data-key-create="">
          <Plus className="size-4" aria-hidden="true" />
          {t('new')}
          <Kbd>C</Kbd>
        </Link>
      </Button>
    ),
    filters: [
      {
        key: 'type',
        label: t('source'),
        icon: <Shapes aria-hidden="true" />,
        options: FILE_TYPES.map((type) => ({ value: type, label: t(`types.${type}`) })),
        term: fieldTerm('type'),
        toFilter: (value) => fieldIs('type', value),
      },
      useOwnerFilter(),
    ],
    columns: [
      {
        id: 'name',
        header: common('columns.name'),
        sortKey: 'name',
        enough: 260,
        small: 'name',
        cell: (file) => <FileName file={file} />,
      },
      {
        id: 'type',
        header: t('source'),
        sortKey: 'type',
        enough: 140,
        small: 'status',
        cell: (file) => t(`types.${file.type}`),
      },
      {
        id: 'content',
        header: t('content'),
        sortKey: 'content_type',
        enough: 150,
        rank: 3,
        cell: (file) => <span className="mono">{file.content_type || '–'}</span>,
      },
      {
        id: 'size',
        header: t('size'),
        sortKey: 'size',
        enough: 90,
        rank: 1,
        cell: (file) => (file.type === 'upload' ? bytes(file.size) : '–'),
      },
      {
        id: 'owner',
        header: common('columns.owner'),
        enough: 140,
        rank: 4,
        cell: (file) => <Person user={file.expand?.created_by} />,
      },
      {
        id: 'updated',
        header: common('columns.changed'),
        sortKey: 'updated',
        enough: 90,
        rank: 2,
        cell: (file) => <Age at={file.updated} />,
      },
    ],
    empty: {
      title: t('empty.title'),
      text: t('empty.text'),
      action: (
        <Button asChild variant="primary">
          <Link href={paths.fileCreate}>{t('new')}</Link>
        </Button>
      ),
    },
  };
  return <RecordList list={list} />;
}

function FileName({ file }: { file: FileRecord }) {
  return (
    <LinkedName
      icon={file.type === 'external' ? <Link2 /> : <FileText />}
      name={file.name}
      href={paths.file(file.id)}
    />
  );
}
