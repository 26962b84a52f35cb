'use client';

import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { Person } from '@/components/records/person';
import { Card, Facts, Meter } from '@/components/ui/parts';
import { engineText } from '@/components/records/engine-text';

const HostDoctor = dynamic(() => import('./host-doctor').then((module) => module.HostDoctor));
const HostUsage = dynamic(() => import('./usage/host-usage').then((module) => module.HostUsage));
const HostDisk = dynamic(() => import('./host-disk').then((module) => module.HostDisk));

export function HostResourcesTab({ host }: { host: HostRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.resources');
  const { resources, engine } = host;
  const diskUsed = resources ? resources.diskBytes - resources.diskFreeBytes : 0;
  return (
    <div className="grid grid-cols-2 items-start gap-3.5 max-lg:grid-cols-1">
      <Card title={t('machine')}>
        {resources ? (
          <Facts
            items={[
              { name: t('cores'), value: resources.cpuCores },
              { name: t('memory'), value: bytes(resources.memoryBytes) },
              {
                name: t('disk'),
                value: (
                  <span className="flex items-center gap-3">
                    {t('free', { free: bytes(resources.diskFreeBytes), all: bytes(resources.diskBytes) })}
                    <Meter className="w-24" share={resources.diskBytes ? diskUsed / resources.diskBytes : 0} />
                  </span>
                ),
              },
              { name: t('os'), value: [host.os, host.platform].filter(Boolean).join(', ') || '–' },
            ]}
          />
        ) : (
          <p className="text-table text-text-3 px-3.5 pb-3">{t('unknown')}</p>
        )}
      </Card>
      <Card title={t('agent')}>
        <Facts
          items={[
            { name: t('engine'), value: engineText(host) },
            { name: t('runtimes'), value: <span className="mono">{engine?.runtimes.join(', ') || '–'}</span> },
            { name: t('version'), value: host.agentVersion || '–' },
            { name: t('protocol'), value: engine?.protocol ?? '–' },
            { name: t('heartbeat'), value: <Age at={host.lastHeartbeat} /> },
            { name: t('link'), value: engine?.liveLink ? t('linkLive') : t('linkNone') },
            ...(host.expand?.created_by ? [{ name: t('owner'), value: <Person user={host.expand.created_by} /> }] : []),
          ]}
        />
      </Card>
      {resources && resources.gpus.length > 0 && (
        <Card title={t('gpus')} note={resources.gpus.length} className="col-span-full">
          <ul className="grid grid-cols-4 gap-2 px-3.5 pb-3.5 max-lg:grid-cols-1">
            {resources.gpus.map((gpu, index) => (
              <li key={gpu.uuid} className="border-line-strong text-small rounded-md border px-2.5 py-2">
                <span className="text-table block font-medium">{t('card', { index })}</span>
                <span className="text-text-2 block truncate">
                  {gpu.model}, {bytes(gpu.memoryBytes)}
                </span>
                <span className="text-text-3">{gpu.usedBy.length > 0 ? t('inUse') : t('unused')}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {resources && <HostUsage host={host} />}
      {host.can?.['modify'] && <HostDisk host={host} />}
      {host.can?.['modify'] && <HostDoctor host={host} />}
    </div>
  );
}
