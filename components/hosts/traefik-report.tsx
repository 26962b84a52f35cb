'use client';

import { useTranslations } from 'next-intl';
import { Facts, Tag } from '@/components/ui/parts';
import { QuestionSection } from './question-section';

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
  return (
    <QuestionSection<Report>
      id="traefik-report"
      hostId={hostId}
      question="traefik"
      words={{ title: t('title'), text: t('text'), look: t('look'), again: t('again') }}
      show={(report, problem) => problem === '' && <Told report={report} />}
    />
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
