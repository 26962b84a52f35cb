'use client';

import { CircleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageOf } from '@/components/data/problems';
import type { BuildRecord } from '@/components/data/types';
import { useFormats } from '@/components/records/use-formats';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/parts';
import { Select } from '@/components/ui/select';
import { type BuildLock, compareLocks, type LockChange } from '@/lib/vocabulary/build-lock';
import { Duration } from './duration';
import { LockTable } from './lock-table';
import { useBuildLock } from './use-build-lock';

interface CompareDialogProps {
  build: BuildRecord;
  /** What it may be held against. */
  others: BuildRecord[];
  onClose: () => void;
}

/** Two builds of an image, package by package: the older one on the left. */
export function CompareDialog({ build, others, onClose }: CompareDialogProps) {
  const t = useTranslations('pages.images.builds');
  const common = useTranslations('common');
  const before = others.find(({ number }) => number < build.number) ?? others[0]!;
  const [otherId, setOtherId] = useState(before.id);
  const other = others.find(({ id }) => id === otherId) ?? before;
  const [from, to] = other.number < build.number ? [other, build] : [build, other];
  const [one, two] = [useBuildLock(from), useBuildLock(to)];
  const error = one.error ?? two.error;
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      width="lg"
      title={t('comparing', { number: build.number })}
      closeLabel={common('actions.close')}
    >
      <div className="grid gap-3">
        <label className="text-table flex flex-wrap items-center gap-2">
          <span className="text-text-2">{t('with')}</span>
          <Select
            aria-label={t('with')}
            size="sm"
            className="min-w-32"
            value={other.id}
            onValueChange={setOtherId}
            options={others.map(({ id, number }) => ({ value: id, label: t('build', { number }) }))}
          />
        </label>
        {error ? (
          <p role="alert" className="text-table text-bad-text">
            {messageOf(error) ?? common('errors.general')}
          </p>
        ) : one.data && two.data ? (
          <>
            <Unknown build={from} lock={one.data} />
            <Unknown build={to} lock={two.data} />
            <Compared from={from} to={to} {...compareLocks(one.data, two.data)} />
          </>
        ) : (
          <Skeleton className="h-24 w-full" />
        )}
      </div>
    </Dialog>
  );
}

/** What of a build can be held against nothing. */
function Unknown({ build: { number }, lock }: { build: BuildRecord; lock: BuildLock }) {
  const t = useTranslations('pages.images.builds');
  return lock.environments
    .filter(({ problem }) => problem !== '')
    .map(({ name, problem }) => (
      <Notice key={name} tone="warn" icon={<CircleAlert aria-hidden="true" />}>
        {t('unknown', { number, name, problem })}
      </Notice>
    ));
}

interface ComparedProps {
  from: BuildRecord;
  to: BuildRecord;
  changes: LockChange[];
  same: LockChange[];
}

function Compared({ from, to, changes, same }: ComparedProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.images.builds');
  const ends = { from: t('build', { number: from.number }), to: t('build', { number: to.number }) };
  return (
    <>
      <p role="status" className="text-table text-text-2">
        {t('differences', {
          added: changes.filter((each) => each.from === '').length,
          removed: changes.filter((each) => each.to === '').length,
          changed: changes.filter((each) => each.from !== '' && each.to !== '').length,
        })}
      </p>
      <LockTable
        {...ends}
        lines={changes}
        facts={[
          { name: t('size'), from: bytes(from.sizeBytes), to: bytes(to.sizeBytes) },
          { name: t('duration'), from: <Duration build={from} />, to: <Duration build={to} /> },
        ]}
      />
      {same.length > 0 && (
        <details className="text-table">
          <summary className="text-small text-text-2 inline-flex items-center gap-1 rounded-sm font-medium max-lg:min-h-9">
            {t('unchanged', { count: same.length })}
          </summary>
          <div className="mt-1.5">
            <LockTable {...ends} lines={same} isSame />
          </div>
        </details>
      )}
    </>
  );
}
