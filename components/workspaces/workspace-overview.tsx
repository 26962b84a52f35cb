'use client';

import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useRecordList } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { formatBytes } from '@/components/records/format';
import { Person } from '@/components/records/person';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Fold } from '@/components/ui/notice';
import { Card, Facts, Skeleton } from '@/components/ui/parts';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { paths } from '@/lib/paths';
import { DeploymentCard } from './deployment-card';
import { LogTail } from './log-tail';

interface OverviewProps {
  workspace: WorkspaceRecord;
  onAllDeployments: () => void;
}

export function WorkspaceOverview({ workspace, onAllDeployments }: OverviewProps) {
  const t = useTranslations('pages.workspaces.overview');
  const deployments = useRecordList('deployments', {
    page: 1,
    perPage: 1,
    filter: `workspace = '${workspace.id}'`,
    sort: '-number',
    expand: 'created_by',
  });
  const [last] = deployments.data?.items ?? [];
  return (
    <div className="grid gap-3.5">
      {workspace.status === 'error' && workspace.statusMessage && (
        <div role="alert" className="border-bad-line bg-bad-soft text-table rounded-md border px-3 py-2">
          <p className="text-bad-text mb-1 font-medium">{t('failed')}</p>
          <Fold summary={t('engineWords')} isOpen>
            {workspace.statusMessage}
          </Fold>
        </div>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_380px] gap-3.5 max-xl:grid-cols-1">
        {last ? (
          <DeploymentCard
            deployment={last}
            actions={
              <Button variant="ghost" size="sm" onClick={onAllDeployments}>
                {t('allDeployments')}
                <ChevronRight className="size-3.5" />
              </Button>
            }
          />
        ) : (
          <Card title={t('deployment')}>
            {deployments.isPending ? (
              <Skeleton className="mx-3.5 mb-4 h-16" />
            ) : (
              <p className="text-table text-text-3 px-3.5 pb-3.5">{t('never')}</p>
            )}
          </Card>
        )}
        <RunsAs workspace={workspace} />
      </div>
      <LogTail
        workspaceId={workspace.id}
        generation={workspace.generation}
        isOn={workspace.containerId !== '' || workspace.generation > 0}
      />
    </div>
  );
}

function RunsAs({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.overview');
  const common = useTranslations('common.actions');
  const image = workspace.expand?.image;
  const ports = workspace.observedPorts?.length
    ? workspace.observedPorts.map(
        (port) => `${port.containerPort} → ${port.hostPort}${port.protocol === 'udp' ? '/udp' : ''}`,
      )
    : (workspace.portMappings ?? []).map(
        (port) => `${port.containerPort} → ${port.hostPort || '*'}${port.protocol === 'udp' ? '/udp' : ''}`,
      );
  return (
    <Card
      title={t('runsAs')}
      actions={
        <CopyButton
          isIcon
          text={() => JSON.stringify(workspace, null, 2)}
          label={t('copyJson')}
          copiedLabel={common('copied')}
        />
      }
    >
      <Facts
        items={[
          {
            name: t('image'),
            value: image ? (
              <>
                <Link href={paths.image(image.id)} className="mono text-accent-text rounded-sm hover:underline">
                  {imageReference(image)}
                </Link>{' '}
                <span className="text-text-3">
                  {image.buildNumber > 0 && t('build', { number: image.buildNumber })}
                </span>
              </>
            ) : (
              '–'
            ),
          },
          { name: t('owner'), value: <Person user={workspace.expand?.created_by} /> },
          {
            name: t('ports'),
            value:
              ports.length > 0 ? (
                <span className="mono" title={ports.join(', ')}>
                  {ports.join(', ')}
                </span>
              ) : (
                t('none')
              ),
          },
          { name: t('variables'), value: t('variableCount', { count: workspace.environmentVariables?.length ?? 0 }) },
          {
            name: t('limits'),
            value:
              [
                workspace.cpuLimit ? t('cores', { count: workspace.cpuLimit }) : '',
                workspace.memoryLimit ? formatBytes(workspace.memoryLimit) : '',
                workspace.shmSize ? t('shm', { size: formatBytes(workspace.shmSize) }) : '',
              ]
                .filter(Boolean)
                .join(', ') || t('none'),
          },
          { name: t('starts'), value: workspace.autoStart ? t('withHost') : t('byHand') },
          ...(workspace.command
            ? [
                {
                  name: t('command'),
                  value: (
                    <span className="mono" title={workspace.command}>
                      {workspace.command}
                    </span>
                  ),
                },
              ]
            : []),
          { name: t('container'), value: <span className="mono">{workspace.containerId.slice(0, 12) || '–'}</span> },
        ]}
      />
    </Card>
  );
}
