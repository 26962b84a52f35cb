'use client';

import { useServerWords } from '@/components/data/server-words';
import { CircleCheck, CircleX, Minus, Stethoscope, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Card, Skeleton } from '@/components/ui/parts';
import { useHostQuestion } from './use-host-question';

/** What the agent found of one thing; `cure` says what to do, or nothing. */
interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  found: string;
  cure: string;
}

const marks = {
  ok: <CircleCheck className="text-ok-text size-4" aria-hidden="true" />,
  warning: <TriangleAlert className="text-warn-text size-4" aria-hidden="true" />,
  failed: <CircleX className="text-bad-text size-4" aria-hidden="true" />,
  skipped: <Minus className="text-text-3 size-4" aria-hidden="true" />,
};

/** What the host's agent finds of itself when it is asked: for whoever may change the host. */
export function HostDoctor({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.doctor');
  const { answer, problem, isAsking, ask } = useHostQuestion<{ findings: Finding[] }>(host.id, 'doctor');
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
  const say = useServerWords();
  const t = useTranslations('pages.hosts.doctor');
  return (
    <ul aria-label={t('title')} className="divide-line border-line divide-y border-t">
      {findings.map(({ check, state, found, cure }) => (
        <li
          key={check}
          className="text-table grid grid-cols-[16px_160px_minmax(0,1fr)] gap-x-2.5 px-3.5 py-2 max-lg:grid-cols-[16px_minmax(0,1fr)]"
        >
          <span className="pt-0.5">{marks[state]}</span>
          <span className="font-medium">
            {check}
            <span className="sr-only">: {t(`states.${state}`)}</span>
          </span>
          <span className="min-w-0 break-words max-lg:col-start-2">
            <span className={state === 'skipped' ? 'text-text-3' : 'text-text'}>{say(found)}</span>
            {cure !== '' && <span className="text-text-2 block">{say(cure)}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
