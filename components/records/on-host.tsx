'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { paths } from '@/lib/paths';

/** In the head of a record: the host it lives on, and whether it is disabled. */
export function OnHost({ host, isEnabled }: { host: HostRecord | undefined; isEnabled: boolean }) {
  const t = useTranslations('common');
  return (
    <span className="text-table text-text-3">
      {host &&
        t.rich('onHost', {
          host: () => (
            <Link href={paths.host(host.id)} className="text-text-2 rounded-sm font-medium hover:underline">
              {host.name}
            </Link>
          ),
        })}
      {!isEnabled && ` · ${t('disabled')}`}
    </span>
  );
}
