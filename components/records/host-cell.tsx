'use client';

import { FlaskConical, WifiOff, Wrench } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRecordList } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { Notice } from '@/components/ui/notice';

/** A host's name in a row, with a mark when it is simulated, in maintenance or away. */
export function HostCell({ host }: { host: HostRecord | undefined }) {
  const t = useTranslations('common');
  if (!host) return '–';
  const isAway = host.status !== 'online';
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="truncate">{host.name}</span>
      {host.engine?.kind === 'simulated' && (
        <span title={t('hostNotice.simulated')}>
          <FlaskConical className="text-warn-text size-3.5" aria-hidden="true" />
          <span className="sr-only">{t('hostNotice.simulated')}</span>
        </span>
      )}
      {host.maintenance && (
        <span title={t('hostNotice.maintenanceShort')}>
          <Wrench className="text-warn-text size-3.5" aria-hidden="true" />
          <span className="sr-only">{t('hostNotice.maintenanceShort')}</span>
        </span>
      )}
      {isAway && (
        <span title={t('hostStatus.offline')}>
          <WifiOff className="text-warn-text size-3.5" aria-hidden="true" />
          <span className="sr-only">{t('hostStatus.offline')}</span>
        </span>
      )}
    </span>
  );
}

/** Simulated hosts that are named; the others are counted. */
const NAMED_HOSTS = 5;

/** Above a list, while any host that the viewer sees is simulated. */
export function SimulatedNotice() {
  const t = useTranslations('common.hostNotice');
  const params = { page: 1, perPage: NAMED_HOSTS, sort: 'name', filter: "engine.kind = 'simulated'" };
  const { items = [], totalItems = 0 } = useRecordList('hosts', params, { followsFilter: true }).data ?? {};
  if (items.length === 0) return null;
  const names = items.map((host) => host.name).join(', ');
  return (
    <Notice tone="warn" icon={<FlaskConical aria-hidden="true" />} className="mx-6 mb-2 max-lg:mx-4">
      {t('simulated')}{' '}
      <span className="text-text-2">
        ({totalItems > items.length ? t('andMore', { names, count: totalItems - items.length }) : names})
      </span>
    </Notice>
  );
}
