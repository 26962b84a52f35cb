'use client';

import { Gauge } from 'lucide-react';
import Link from 'next/link';
import { useFormatter, useTranslations } from 'next-intl';
import { useViewer } from '@/components/data/session-provider';
import { Notice } from '@/components/ui/notice';
import { paths } from '@/lib/paths';
import { useAmountFormat, useQuota } from './use-quota';

/** From which part of a bound on it is told. */
const NEAR = 0.8;

/** Says what of their quota somebody has used up, or nearly: before they fill in what it would refuse. */
export function QuotaNote() {
  const t = useTranslations('pages.quotas.note');
  const names = useTranslations('pages.quotas.amounts');
  const format = useFormatter();
  const show = useAmountFormat();
  const { data } = useQuota(useViewer().id);
  const near = (data?.amounts ?? []).flatMap((told) => {
    const { bound, used } = told;
    return bound !== null && bound > 0 && used >= bound * NEAR ? [{ ...told, bound }] : [];
  });
  if (near.length === 0) return null;
  const isFull = near.some(({ used, bound }) => used >= bound);
  const items = near.map(({ amount, used, bound }) =>
    t('item', { name: names(amount), used: show(amount, used), bound: show(amount, bound) }),
  );
  return (
    <Notice tone="warn" icon={<Gauge aria-hidden="true" />} className="mb-4">
      {t.rich(isFull ? 'full' : 'near', {
        amounts: format.list(items, { type: 'unit' }),
        link: (words) => (
          <Link href={paths.profileTab('quota')} className="text-accent-text rounded-sm underline">
            {words}
          </Link>
        ),
      })}
    </Notice>
  );
}
