'use client';

import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { dateMs } from '@/components/data/dates';
import type { AuditRecord } from '@/components/data/types';
import { Dialog } from '@/components/ui/dialog';
import { AuditOutcomeLine } from './audit-outcome';
import { hrefOf, useAuditWords } from './audit-words';
import { clientWords } from './client-words';

const DETAILS = [
  'identity',
  'fields',
  'keys',
  'change',
  'userName',
  'groupName',
  'source',
  'flags',
  'flagsBefore',
  'url',
  'provider',
  'name',
  'scope',
  'isNew',
  'username',
  'isAdmin',
  'enabled',
  'force',
  'reusable',
  'replaceKey',
  'isKnown',
  'format',
  'filter',
] as const;

/** Ids behind a name that is shown. */
const UNTOLD = new Set(['user', 'group', 'resource', 'createdBy']);

/** All that is known of one entry. */
export function AuditDialog({ entry, onClose }: { entry: AuditRecord; onClose: () => void }) {
  const t = useTranslations('pages.audit');
  const common = useTranslations('common');
  const format = useFormatter();
  const words = useAuditWords();
  const ms = dateMs(entry.created);
  const href = hrefOf(entry);
  const client = clientWords(entry.userAgent);
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const facts: [string, ReactNode][] = [
    [t('when'), ms === undefined ? '' : format.dateTime(ms, { dateStyle: 'full', timeStyle: 'long', timeZone })],
    [t('person'), words.who(entry)],
    [t('what'), href && entry.recordName ? <Link href={href}>{entry.recordName}</Link> : entry.recordName],
    [t('outcome'), <AuditOutcomeLine key="outcome" outcome={entry.outcome} />],
    [t('how'), words.way(entry)],
    [t('address'), entry.address && <span className="mono">{entry.address}</span>],
    [t('client'), client],
    [t('userAgent'), entry.userAgent && <span className="mono break-all">{entry.userAgent}</span>],
    [t('ids.user'), entry.user && <span className="mono">{entry.user}</span>],
    [t('ids.record'), entry.record && <span className="mono">{`${entry.collection}/${entry.record}`}</span>],
  ];
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={words.action(entry)}
      closeLabel={common('actions.close')}
      width="md"
      footNote={<span className="mono">{entry.action}</span>}
    >
      <dl className="text-table grid grid-cols-[minmax(100px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-2">
        {[...facts, ...useDetails(entry)].map(([name, value]) =>
          value === '' || value === undefined ? null : (
            <div key={name} className="contents">
              <dt className="text-text-3">{name}</dt>
              <dd className="min-w-0 break-words [&_a]:underline">{value}</dd>
            </div>
          ),
        )}
      </dl>
    </Dialog>
  );
}

function useDetails({ details }: AuditRecord): [string, string][] {
  const t = useTranslations('pages.audit.details');
  const common = useTranslations('common');
  const textOf = (value: unknown): string => {
    if (typeof value === 'boolean') return common(value ? 'yes' : 'no');
    if (Array.isArray(value)) return value.map(textOf).join(', ') || '–';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const entries = Object.entries(details).filter(([key]) => !UNTOLD.has(key));
  return entries.map(([key, value]) => {
    const known = DETAILS.find((each) => each === key);
    return [known ? t(known) : key, textOf(value)];
  });
}
