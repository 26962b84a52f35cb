'use client';

import { ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useViewer } from '@/components/data/session-provider';
import { Loaded } from '@/components/records/loaded';
import { Notice } from '@/components/ui/notice';
import { Meter, Tag } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { type ToldAmount, type ToldBound, type ToldTime, useAmountFormat, useQuota } from './use-quota';

/** What a person uses of what they may have, and what says so. */
export function QuotaUsage({ userId }: { userId: string }) {
  const t = useTranslations('pages.quotas');
  const query = useQuota(userId);
  return (
    <Loaded query={query} rows={6}>
      {({ isAdmin, amounts, times }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
          {isAdmin && (
            <Notice tone="accent" icon={<ShieldCheck aria-hidden="true" />}>
              {t('admin')}
            </Notice>
          )}
          <ul aria-label={t('usage')} className="border-line-strong divide-line divide-y rounded-md border">
            {amounts.map((told) => (
              <AmountRow key={told.amount} told={told} />
            ))}
            {times.map((told) => (
              <TimeRow key={told.time} told={told} />
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
}

function AmountRow({ told }: { told: ToldAmount }) {
  const t = useTranslations('pages.quotas');
  const show = useAmountFormat();
  const { amount, used, bound, uncounted } = told;
  const isOver = bound !== null && used > bound;
  const numbers = { used: show(amount, used), bound: show(amount, bound ?? 0) };
  const uncountedOf = amount === 'storageBytes' ? 'storageBytes' : amount === 'cpus' ? 'cpus' : 'memoryBytes';
  return (
    <li className="text-table grid gap-1.5 px-3.5 py-2.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{t(`amounts.${amount}`)}</span>
        <span className="tabular-nums">
          {bound === null ? t('used', { used: numbers.used }) : t('usedOf', numbers)}
        </span>
      </div>
      {bound !== null && <Meter share={bound === 0 ? (used > 0 ? 1 : 0) : used / bound} />}
      <div className="text-small text-text-3 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Origin told={told} />
        {uncounted > 0 && <span>{t(`uncounted.${uncountedOf}`, { count: uncounted })}</span>}
        {isOver && (
          <>
            <Tag tone="warn">{t('over')}</Tag>
            <span>{t('overText')}</span>
          </>
        )}
      </div>
    </li>
  );
}

function TimeRow({ told }: { told: ToldTime }) {
  const t = useTranslations('pages.quotas');
  const { time, bound } = told;
  return (
    <li className="text-table grid gap-1.5 px-3.5 py-2.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{t(`amounts.${time}`)}</span>
        <span className="tabular-nums">
          {bound === null ? t('unlimited') : t('timeAtMost', { time: t(`timeUnits.${time}`, { count: bound }) })}
        </span>
      </div>
      <div className="text-small text-text-3">
        <Origin told={told} />
      </div>
    </li>
  );
}

/** Pages of groups are for admins. */
function Origin({ told: { from, group, bound } }: { told: ToldBound }) {
  const { isAdmin } = useViewer();
  const t = useTranslations('pages.quotas.from');
  if (from !== 'group' || !group) return <span>{t(from === 'group' ? 'none' : from)}</span>;
  const link = (name: ReactNode) =>
    !isAdmin ? (
      name
    ) : (
      <Link href={paths.group(group.id)} className="text-accent-text rounded-sm underline">
        {name}
      </Link>
    );
  return (
    <span>{t.rich(bound === null ? 'groupWithout' : 'group', { name: group.name, link: (name) => link(name) })}</span>
  );
}
