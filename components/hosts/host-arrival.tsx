'use client';

import { useTranslations } from 'next-intl';
import { useNow } from '@/components/data/use-now';
import type { HostRecord } from '@/components/data/types';
import { useFormats } from '@/components/records/use-formats';
import { StatusLine } from '@/components/records/status-line';
import { Glyph, type GlyphKind } from '@/components/ui/glyph';
import { engineText } from '@/components/records/engine-text';
import type { JoinWay } from './join-command';

interface HostArrivalProps {
  host: HostRecord | undefined;
  name: string;
  way: JoinWay;
  askedAtMs: number;
  isAsked: boolean;
}

/** Waits for the host; turns green when it is there. */
export function HostArrival({ host, name, way, askedAtMs, isAsked }: HostArrivalProps) {
  const { span } = useFormats();
  const t = useTranslations('pages.hosts.adding');
  const now = useNow();
  if (host) return <Arrived host={host} />;
  return (
    <div className="border-line-strong text-table rounded-md border px-3.5 py-3" role="status">
      {isAsked ? (
        <>
          <StatusLine
            kind="busy"
            word={t('waiting', { name })}
            detail={<span aria-hidden="true">{span(Math.max(0, now - askedAtMs))}</span>}
          />
          <p className="text-small text-text-3 mt-1.5">
            {t.rich(`notComing.${way}`, { code: (chunks) => <code className="mono">{chunks}</code> })}
          </p>
        </>
      ) : (
        <StatusLine kind="off" word={t('notAsked')} />
      )}
    </div>
  );
}

function Arrived({ host }: { host: HostRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.adding');
  const { engine, resources } = host;
  const checks: { kind: GlyphKind; text: string }[] = [];
  if (engine?.reachable) checks.push({ kind: 'done', text: t('engine', { engine: engineText(host) }) });
  else checks.push({ kind: 'warn', text: t('noEngine') });
  if (resources) {
    checks.push({
      kind: 'done',
      text: t('size', { cores: resources.cpuCores, memory: bytes(resources.memoryBytes) }),
    });
    checks.push({ kind: 'done', text: t('disk', { size: bytes(resources.diskFreeBytes) }) });
    checks.push({ kind: 'done', text: t('gpuCount', { count: resources.gpus.length }) });
  }
  if (engine && !engine.liveLink) checks.push({ kind: 'warn', text: t('noLink') });
  return (
    <div className="border-ok-line bg-ok-soft text-table rounded-md border px-3.5 py-3" role="status">
      <StatusLine kind="up" word={t('arrived', { name: host.name })} />
      <ul className="mt-2.5 grid grid-cols-2 gap-x-4 gap-y-1.5 max-sm:grid-cols-1">
        {checks.map((check) => (
          <li key={check.text} className="flex items-center gap-2">
            <Glyph kind={check.kind} className="!size-[13px]" />
            {check.text}
          </li>
        ))}
      </ul>
    </div>
  );
}
