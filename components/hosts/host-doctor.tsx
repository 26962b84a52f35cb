'use client';

import { Stethoscope, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { useQuestion } from '@/components/data/use-question';
import { CheckList } from '@/components/records/check-list';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Card, Skeleton } from '@/components/ui/parts';

/** What the agent found of one thing; `cure` says what to do, or nothing. */
interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  found: string;
  cure: string;
}

/** What agents look at, by their own names for it; what a newer one looks at beside, and product names, are shown as they are. */
const NAMES = {
  Proxy: 'proxy',
  Console: 'console',
  Clock: 'clock',
  'Host key': 'hostKey',
  Engine: 'engine',
  'Disk of the engine': 'disk',
  'State folder': 'stateFolder',
  'Folders for volumes': 'volumes',
  'Ports 80 and 443': 'ports',
} as const;

const isNamed = (check: string): check is keyof typeof NAMES => Object.hasOwn(NAMES, check);

/** What the host's agent finds of itself when it is asked: for whoever may change the host. */
export function HostDoctor({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.doctor');
  const { answer, problem, isAsking, ask } = useQuestion<{ findings: Finding[] }>(`/api/host/${host.id}/doctor`);
  return (
    <Card
      className="col-span-full"
      title={t('title')}
      actions={
        <Button size="sm" variant="ghost" isBusy={isAsking} onClick={ask}>
          <Stethoscope className="size-4" aria-hidden="true" />
          {t(answer ? 'again' : 'look')}
        </Button>
      }
    >
      <div aria-live="polite" aria-busy={isAsking}>
        {!answer && !isAsking && problem === '' && <p className="text-table text-text-2 px-3.5 pb-3">{t('text')}</p>}
        {!answer && isAsking && <Skeleton className="mx-3.5 mb-3.5 h-24" />}
        {problem !== '' && (
          <Notice tone="bad" icon={<TriangleAlert />} className="mx-3.5 mb-3.5">
            {problem}
          </Notice>
        )}
        {answer && <Findings findings={answer.findings} />}
      </div>
    </Card>
  );
}

function Findings({ findings }: { findings: Finding[] }) {
  const t = useTranslations('pages.hosts.doctor');
  const named = findings.map(({ check, ...finding }) => ({
    ...finding,
    name: isNamed(check) ? t(`names.${NAMES[check]}`) : check,
    stateWords: t(`states.${finding.state}`),
  }));
  return <CheckList label={t('title')} findings={named} />;
}
