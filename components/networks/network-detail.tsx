'use client';

import { paths } from '@/lib/paths';
import { useServerWords } from '@/components/data/server-words';
import { Network } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import type { NetworkRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { HostNotices } from '@/components/records/host-notices';
import { OnHost } from '@/components/records/on-host';
import { Person } from '@/components/records/person';
import { permissionsTab } from '@/components/records/permissions-tab';
import { RecordDetail, type DetailTab } from '@/components/records/record-detail';
import { RecordPage } from '@/components/records/record-page';
import { ResourceStatusLine } from '@/components/records/resource-status';
import { UsedBy } from '@/components/records/used-by';
import { Fold } from '@/components/ui/notice';
import { Card, Facts } from '@/components/ui/parts';
import { NetworkDelete } from './network-delete';

const NameForm = dynamic(() => import('@/components/records/name-form').then((module) => module.NameForm));

const FLAGS = ['attach', 'modify', 'delete'] as const;

export function NetworkDetail({ networkId }: { networkId: string }) {
  const query = useRecord('networks', networkId, 'host,created_by');
  return (
    <RecordPage query={query} nameOf={(network) => network.name}>
      {(network) => <NetworkView network={network} />}
    </RecordPage>
  );
}

function NetworkView({ network }: { network: NetworkRecord }) {
  const t = useTranslations('pages.networks');
  const common = useTranslations('common');
  const may = network.can ?? {};
  const host = network.expand?.host;
  const tabs: DetailTab[] = [
    { value: 'overview', label: t('tabs.overview'), panel: () => <NetworkOverview network={network} /> },
    {
      value: 'basic-information',
      label: t('tabs.basic-information'),
      look: 'form',
      panel: () => (
        <NameForm
          key={network.id}
          collection="networks"
          row={network}
          title={t('tabs.basic-information')}
          label={t('labels.name')}
          hint={t('nameHint')}
        />
      ),
    },
    permissionsTab(network, {
      label: t('tabs.permissions'),
      collection: 'network_permissions',
      field: 'network',
      flags: FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) })),
      implied: '',
    }),
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: may['delete'] === true,
      isTail: true,
      panel: () => <NetworkDelete network={network} />,
    },
  ];
  return (
    <RecordDetail
      icon={<Network />}
      name={network.name}
      status={<ResourceStatusLine resource={network} />}
      place={<OnHost host={host} isEnabled />}
      notices={<HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />}
      tags={{ tags: network.tags, list: paths.networks }}
      tabs={tabs}
    />
  );
}

function NetworkOverview({ network }: { network: NetworkRecord }) {
  const say = useServerWords();
  const t = useTranslations('pages.networks');
  const { expand, statusMessage } = network;
  return (
    <div className="grid grid-cols-2 items-start gap-3.5 max-lg:grid-cols-1">
      <Card title={t('facts')}>
        <Facts
          items={[
            { name: t('host'), value: expand?.host?.name ?? '–' },
            { name: t('owner'), value: <Person user={expand?.created_by} /> },
            { name: t('made'), value: <Age at={network.created} /> },
          ]}
        />
        <p className="text-table text-text-2 px-3.5 pb-3">{t('namesText')}</p>
        {statusMessage && (
          <div className="px-3.5 pb-3">
            <Fold summary={t('words')} isOpen>
              {say(statusMessage)}
            </Fold>
          </div>
        )}
      </Card>
      <UsedBy field="networks" id={network.id} host={expand?.host} />
    </div>
  );
}
