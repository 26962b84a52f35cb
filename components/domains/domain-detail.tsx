'use client';

import { paths } from '@/lib/paths';
import { Globe } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import type { DomainRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { HostNotices } from '@/components/records/host-notices';
import { OnHost } from '@/components/records/on-host';
import { permissionsTab } from '@/components/records/permissions-tab';
import { Person } from '@/components/records/person';
import { RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { Card, Facts } from '@/components/ui/parts';
import { DomainDelete } from './domain-delete';
import { DomainUsers } from './domain-users';

const DomainDoctor = dynamic(() => import('./domain-doctor').then((module) => module.DomainDoctor));
const DomainSettings = dynamic(() => import('./domain-settings').then((module) => module.DomainSettings));

const FLAGS = ['deploy', 'modify', 'delete'] as const;

export function DomainDetail({ domainId }: { domainId: string }) {
  const query = useRecord('domains', domainId, 'host,created_by');
  return (
    <RecordPage query={query} nameOf={(domain) => domain.url}>
      {(domain) => <DomainView domain={domain} />}
    </RecordPage>
  );
}

function DomainView({ domain }: { domain: DomainRecord }) {
  const t = useTranslations('pages.domains');
  const common = useTranslations('common');
  const host = domain.expand?.host;
  const tabs: DetailTab[] = [
    { value: 'overview', label: t('tabs.overview'), panel: () => <DomainOverview domain={domain} /> },
    {
      value: 'basic-information',
      label: t('tabs.basic-information'),
      look: 'form',
      panel: () => <DomainSettings key={domain.id} domain={domain} />,
    },
    permissionsTab(domain, {
      label: t('tabs.permissions'),
      collection: 'domain_permissions',
      field: 'domain',
      flags: FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) })),
      implied: '',
    }),
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: domain.can?.['delete'] === true,
      isTail: true,
      panel: () => <DomainDelete domain={domain} />,
    },
  ];
  return (
    <RecordDetail
      icon={<Globe />}
      name={domain.url}
      status={false}
      place={<OnHost host={host} isEnabled />}
      notices={<HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />}
      tags={{ tags: domain.tags, list: paths.domains }}
      tabs={tabs}
    />
  );
}

function DomainOverview({ domain }: { domain: DomainRecord }) {
  const t = useTranslations('pages.domains');
  const { expand } = domain;
  return (
    <div className="grid grid-cols-2 items-start gap-3.5 max-lg:grid-cols-1">
      <Card title={t('facts')}>
        <Facts
          items={[
            { name: t('labels.url'), value: <span className="mono">{domain.url}</span> },
            { name: t('labels.host'), value: expand?.host?.name ?? t('anyHost') },
            { name: t('owner'), value: <Person user={expand?.created_by} /> },
            { name: t('made'), value: <Age at={domain.created} /> },
          ]}
        />
      </Card>
      <DomainUsers domainId={domain.id} />
      {domain.can?.['diagnose'] === true && <DomainDoctor domainId={domain.id} />}
    </div>
  );
}
