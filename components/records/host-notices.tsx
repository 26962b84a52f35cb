'use client';

import { FlaskConical, Gauge, PlugZap, Unplug, Wrench } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { Notice } from '@/components/ui/notice';
import { HOST_MEASURES } from '@/lib/vocabulary/host-measures';
import { Age } from './age';

/** What must be known of a host on every page that shows it: simulated, in maintenance, above a bound, away, or without its live link. */
export function HostNotices({ host, className }: { host: HostRecord | undefined; className?: string }) {
  const t = useTranslations('common.hostNotice');
  if (!host) return null;
  const notices = [];
  if (host.engine?.kind === 'simulated') {
    notices.push(
      <Notice key="simulated" tone="warn" icon={<FlaskConical />}>
        {t('simulated')}
      </Notice>,
    );
  }
  if (host.maintenance) {
    const { reason, since } = host.maintenance;
    notices.push(
      <Notice key="maintenance" tone="warn" icon={<Wrench />}>
        {t.rich('maintenance', { name: host.name, reason, age: () => <Age at={since} /> })}
      </Notice>,
    );
  }
  for (const measure of HOST_MEASURES) {
    const alarm = host.alarms?.[measure];
    if (!alarm) continue;
    const { percent, since } = alarm;
    notices.push(
      <Notice key={measure} tone="warn" icon={<Gauge />}>
        {t.rich('alarm', { name: host.name, measure, percent, age: () => <Age at={since} /> })}
      </Notice>,
    );
  }
  if (host.status !== 'online') {
    notices.push(
      <Notice key="offline" tone="busy" icon={<Unplug />}>
        {host.lastHeartbeat
          ? t.rich('offline', { name: host.name, age: () => <Age at={host.lastHeartbeat} /> })
          : t('never', { name: host.name })}
      </Notice>,
    );
  } else if (host.engine && !host.engine.reachable) {
    notices.push(
      <Notice key="engine" tone="bad" icon={<PlugZap />}>
        {t('engine', { message: host.engine.message })}
      </Notice>,
    );
  } else if (host.engine?.message) {
    notices.push(
      <Notice key="hangs" tone="warn" icon={<PlugZap />}>
        {t('hangs', { message: host.engine.message })}
      </Notice>,
    );
  } else if (host.engine && !host.engine.liveLink) {
    notices.push(
      <Notice key="degraded" tone="busy" icon={<PlugZap />}>
        {t('degraded')}
      </Notice>,
    );
  }
  return notices.length > 0 ? <div className={className}>{notices}</div> : null;
}
