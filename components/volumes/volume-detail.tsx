'use client';

import { paths } from '@/lib/paths';
import { useServerWords } from '@/components/data/server-words';
import { HardDrive } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecord } from '@/components/data/records';
import type { VolumeRecord } from '@/components/data/types';
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
import { VolumeDelete } from './volume-delete';
import { HiddenUsers } from './hidden-users';
import { VolumeSize } from './volume-size';

const NameForm = dynamic(() => import('@/components/records/name-form').then((module) => module.NameForm));

const VolumeFiles = dynamic(() => import('./volume-files').then((module) => module.VolumeFiles));
const VolumeBackups = dynamic(() => import('./volume-backups').then((module) => module.VolumeBackups));

const FLAGS = ['attach', 'modify', 'delete'] as const;

export function VolumeDetail({ volumeId }: { volumeId: string }) {
  const query = useRecord('volumes', volumeId, 'host,created_by');
  return (
    <RecordPage query={query} nameOf={(volume) => volume.name}>
      {(volume) => <VolumeView volume={volume} />}
    </RecordPage>
  );
}

function VolumeView({ volume }: { volume: VolumeRecord }) {
  const t = useTranslations('pages.volumes');
  const common = useTranslations('common');
  const may = volume.can ?? {};
  const host = volume.expand?.host;
  const tabs: DetailTab[] = [
    { value: 'overview', label: t('tabs.overview'), panel: () => <VolumeOverview volume={volume} /> },
    {
      value: 'basic-information',
      label: t('tabs.basic-information'),
      look: 'form',
      panel: () => (
        <NameForm
          key={volume.id}
          collection="volumes"
          row={volume}
          title={t('tabs.basic-information')}
          label={t('labels.name')}
          hint={t('nameHint')}
        />
      ),
    },
    {
      value: 'files',
      label: t('tabs.files'),
      shownIf: may['attach'] === true,
      look: 'wide',
      panel: () => <VolumeFiles volume={volume} />,
    },
    {
      value: 'backups',
      label: t('tabs.backups'),
      shownIf: may['attach'] === true,
      panel: () => <VolumeBackups volume={volume} />,
    },
    permissionsTab(volume, {
      label: t('tabs.permissions'),
      collection: 'volume_permissions',
      field: 'volume',
      flags: FLAGS.map((key) => ({ key, label: common(`flags.${key}`), hint: t(`flagHints.${key}`) })),
      implied: '',
    }),
    {
      value: 'delete',
      label: t('tabs.delete'),
      shownIf: may['delete'] === true,
      isTail: true,
      panel: () => <VolumeDelete volume={volume} />,
    },
  ];
  return (
    <RecordDetail
      icon={<HardDrive />}
      name={volume.name}
      status={<ResourceStatusLine resource={volume} />}
      place={<OnHost host={host} isEnabled />}
      notices={<HostNotices host={host} className="grid gap-2 px-6 pt-3.5 max-lg:px-4" />}
      tags={{ tags: volume.tags, list: paths.volumes }}
      tabs={tabs}
    />
  );
}

function VolumeOverview({ volume }: { volume: VolumeRecord }) {
  const say = useServerWords();
  const t = useTranslations('pages.volumes');
  const { path_on_host: path, expand, statusMessage } = volume;
  return (
    <div className="grid grid-cols-2 items-start gap-3.5 max-lg:grid-cols-1">
      <Card title={t('facts')}>
        <Facts
          items={[
            { name: t('kind'), value: path ? t('folder') : t('named') },
            ...(path
              ? [
                  {
                    name: t('path'),
                    value: (
                      <span className="mono" title={path}>
                        {path}
                      </span>
                    ),
                  },
                ]
              : []),
            { name: t('size.label'), value: <VolumeSize volume={volume} /> },
            { name: t('host'), value: expand?.host?.name ?? '–' },
            { name: t('owner'), value: <Person user={expand?.created_by} /> },
            { name: t('made'), value: <Age at={volume.created} /> },
          ]}
        />
        {statusMessage && (
          <div className="px-3.5 pb-3">
            <Fold summary={t('words')} isOpen>
              {say(statusMessage)}
            </Fold>
          </div>
        )}
      </Card>
      <div className="grid gap-2">
        <UsedBy field="volumes" id={volume.id} host={expand?.host} />
        <HiddenUsers volumeId={volume.id} />
      </div>
    </div>
  );
}
