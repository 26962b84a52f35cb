'use client';

import { Search, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Facts, Skeleton, Tag } from '@/components/ui/parts';
import { useHostQuestion } from './use-host-question';

interface Router {
  name: string;
  provider: string;
  rule: string;
  service: string;
  status: string;
  errors: string[];
  entryPoints: string[];
}

interface Report {
  version: string;
  startedAt: string;
  entryPoints: { name: string; address: string }[];
  routers: Router[];
  routersTotal: number;
}

/** What the host's Traefik answers when it is asked, whoever deployed it. */
export function TraefikAnswer({ hostId }: { hostId: string }) {
  const t = useTranslations('pages.hosts.traefik.report');
  const { answer, problem, isAsking, ask } = useHostQuestion<Report>(hostId, 'traefik');
  return (
    <FormSection
      id="traefik-report"
      title={t('title')}
      isLast
      aside={
        <Button size="sm" variant="ghost" isBusy={isAsking} onClick={ask}>
          <Search className="size-4" aria-hidden="true" />
          {t(answer ? 'again' : 'look')}
        </Button>
      }
    >
      <div aria-live="polite" aria-busy={isAsking} className="grid gap-3.5">
        {!answer && !isAsking && problem === '' && <p className="text-table text-text-2">{t('text')}</p>}
        {!answer && isAsking && <Skeleton className="h-24" />}
        {problem !== '' && (
          <Notice tone="bad" icon={<TriangleAlert />}>
            {problem}
          </Notice>
        )}
        {answer && problem === '' && <Told report={answer} />}
      </div>
    </FormSection>
  );
}

function Told({ report }: { report: Report }) {
  const t = useTranslations('pages.hosts.traefik.report');
  const { version, entryPoints, routers, routersTotal } = report;
  const listed = entryPoints.map(({ name, address }) => `${name} ${address}`).join(', ');
  return (
    <>
      <div className="border-line rounded-md border pt-2.5">
        <Facts
          items={[
            { name: t('version'), value: version },
            { name: t('entryPoints'), value: <span className="mono">{listed || '–'}</span> },
            { name: t('count'), value: routersTotal },
          ]}
        />
      </div>
      {routers.length > 0 && (
        <ul aria-label={t('routers')} className="divide-line border-line text-table divide-y rounded-md border">
          {routers.map((router) => (
            <RouterRow key={`${router.name} ${router.rule}`} router={router} />
          ))}
        </ul>
      )}
      {routersTotal > routers.length && (
        <p className="text-small text-text-3">{t('more', { shown: routers.length, all: routersTotal })}</p>
      )}
    </>
  );
}

function RouterRow({ router }: { router: Router }) {
  const t = useTranslations('pages.hosts.traefik.report');
  const { name, rule, service, status, errors } = router;
  const isFine = status === 'enabled' && errors.length === 0;
  return (
    <li className="grid gap-0.5 px-3.5 py-2">
      <span className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium break-all">{name}</span>
        <Tag tone={isFine ? 'ok' : 'bad'}>{status}</Tag>
      </span>
      <span className="mono text-small break-all">{rule}</span>
      <span className="text-text-2 text-small break-all">{t('service', { service })}</span>
      {errors.map((error) => (
        <span key={error} className="text-bad-text break-words">
          {error}
        </span>
      ))}
    </li>
  );
}
