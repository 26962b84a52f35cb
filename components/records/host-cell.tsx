'use client';

import { FlaskConical, WifiOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useAllRecords } from '@/components/data/records';
import type { HostRecord } from '@/components/data/types';
import { Notice } from '@/components/ui/notice';

/** A host's name in a row, with a mark when it is simulated or away. */
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
      {isAway && (
        <span title={t('hostStatus.offline')}>
          <WifiOff className="text-warn-text size-3.5" aria-hidden="true" />
          <span className="sr-only">{t('hostStatus.offline')}</span>
        </span>
      )}
    </span>
  );
}

/** Above a list, while any host that the viewer sees is simulated. */
export function SimulatedNotice() {
  const t = useTranslations('common.hostNotice');
  const hosts = useAllRecords('hosts', { sort: 'name' }).data ?? [];
  const names = hosts.filter((host) => host.engine?.kind === 'simulated').map((host) => host.name);
  if (names.length === 0) return null;
  return (
    <Notice tone="warn" icon={<FlaskConical aria-hidden="true" />} className="mx-6 mb-2 max-lg:mx-4">
      {t('simulated')} <span className="text-text-2">({names.join(', ')})</span>
    </Notice>
  );
}
