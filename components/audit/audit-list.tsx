'use client';

import { Download } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecordIfAny } from '@/components/data/records';
import type { AuditRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { useListState } from '@/components/records/list-state';
import type { ListDefinition, ListNarrowing } from '@/components/records/list-types';
import { Person } from '@/components/records/person';
import { listFilterOf } from '@/components/records/list-filter';
import { RecordList } from '@/components/records/record-list';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { paths } from '@/lib/paths';
import { useAuditFilters } from './audit-filters';
import { AuditOutcomeLine } from './audit-outcome';
import { hrefOf, useAuditWords } from './audit-words';

const AuditDialog = dynamic(() => import('./audit-dialog').then((module) => module.AuditDialog));

const SORT = '-created';
const SORT_KEYS = ['created', 'userName', 'action', 'recordName', 'outcome', 'address', 'via'];

/** Who did what, when and from where. */
export function AuditList() {
  const t = useTranslations('pages.audit');
  const words = useAuditWords();
  const [opened, setOpened] = useState<AuditRecord>();
  const narrowing: ListNarrowing = {
    searchFields: ['recordName', 'userName', 'address', 'action', 'details'],
    filters: useAuditFilters(),
  };
  const list: ListDefinition<'audit'> = {
    ...narrowing,
    collection: 'audit',
    title: t('title'),
    searchLabel: t('search'),
    expand: '',
    defaultSort: SORT,
    rowName: (entry) => words.action(entry),
    actions: <ExportMenu narrowing={narrowing} />,
    columns: [
      {
        id: 'when',
        header: t('when'),
        sortKey: 'created',
        enough: 96,
        rank: 2,
        cell: (entry) => <Age at={entry.created} />,
      },
      {
        id: 'who',
        header: t('person'),
        sortKey: 'userName',
        enough: 130,
        cell: (entry) => <Who entry={entry} />,
      },
      {
        id: 'action',
        header: t('action'),
        sortKey: 'action',
        enough: 170,
        small: 'name',
        cell: (entry) => (
          <button
            type="button"
            aria-haspopup="dialog"
            data-key-open=""
            className="text-text max-w-full truncate rounded-sm text-left align-middle font-medium hover:underline"
            onClick={() => setOpened(entry)}
          >
            {words.action(entry)}
          </button>
        ),
      },
      {
        id: 'what',
        header: t('what'),
        sortKey: 'recordName',
        enough: 130,
        rank: 1,
        cell: (entry) => <What entry={entry} />,
      },
      {
        id: 'outcome',
        header: t('outcome'),
        sortKey: 'outcome',
        enough: 96,
        small: 'status',
        cell: (entry) => <Outcome entry={entry} who={words.who(entry)} />,
      },
      {
        id: 'address',
        header: t('address'),
        sortKey: 'address',
        enough: 130,
        rank: 3,
        cell: (entry) => entry.address && <span className="mono">{entry.address}</span>,
      },
      { id: 'how', header: t('how'), sortKey: 'via', enough: 120, rank: 4, cell: words.way },
    ],
    empty: { title: t('empty.title'), text: t('empty.text') },
  };
  return (
    <>
      <RecordList list={list} />
      {opened && <AuditDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function ExportMenu({ narrowing }: { narrowing: ListNarrowing }) {
  const t = useTranslations('pages.audit.export');
  const { state } = useListState({ filterKeys: narrowing.filters.map((filter) => filter.key), sortKeys: SORT_KEYS });
  const href = (format: 'csv' | 'json') =>
    paths.auditExport({ format, filter: listFilterOf(narrowing, state).filter, sort: state.sort || SORT });
  return (
    <Menu
      trigger={
        <Button>
          <Download className="size-4" aria-hidden="true" />
          {t('button')}
        </Button>
      }
    >
      {(['csv', 'json'] as const).map((format) => (
        <MenuItem key={format} asChild>
          <a href={href(format)} download>
            {t(format)}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}

function Who({ entry }: { entry: AuditRecord }) {
  const words = useAuditWords();
  const user = useRecordIfAny('users', entry.user);
  if (user) return <Person user={user} />;
  return <span className={entry.userName ? undefined : 'text-text-3'}>{words.who(entry)}</span>;
}

function What({ entry }: { entry: AuditRecord }) {
  const href = hrefOf(entry);
  const { identity } = entry.details;
  const name = entry.recordName || (typeof identity === 'string' && identity) || '–';
  if (!href || !entry.recordName) return name;
  return (
    <Link href={href} className="hover:text-text rounded-sm hover:underline">
      {name}
    </Link>
  );
}

/** Small screens have no columns for who and when. */
function Outcome({ entry, who }: { entry: AuditRecord; who: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 align-middle max-lg:-ml-[34px]">
      <AuditOutcomeLine outcome={entry.outcome} />
      <span className="text-text-3 truncate lg:hidden">
        {who} · <Age at={entry.created} />
      </span>
    </span>
  );
}
