'use client';

import { useServerWords } from '@/components/data/server-words';
import { ChevronRight, HeartPulse } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecordList } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Card, Skeleton } from '@/components/ui/parts';
import type { AppsPlace } from '@/lib/vocabulary/app-address';
import { Failure } from './failure';
import { RunsAs } from './runs-as';

const DeploymentCard = dynamic(() => import('./deployment-card').then((module) => module.DeploymentCard));
const OverviewCards = dynamic(() => import('./overview-cards').then((module) => module.OverviewCards));

const TimeBar = dynamic(() => import('./times/time-bar').then((module) => module.TimeBar));

const hasTimes = ({ keptUntil, stopsAt, nextStopAt, nextStartAt, deletesAt }: WorkspaceRecord): boolean =>
  [keptUntil, stopsAt, nextStopAt, nextStartAt, deletesAt].some((time) => time !== '');

interface OverviewProps {
  workspace: WorkspaceRecord;
  /** Where the console serves ports of workspaces. */
  apps: AppsPlace | undefined;
  onAllDeployments: () => void;
}

export function WorkspaceOverview({ workspace, apps, onAllDeployments }: OverviewProps) {
  const say = useServerWords();
  const t = useTranslations('pages.workspaces.overview');
  const deployments = useRecordList('deployments', {
    page: 1,
    perPage: 1,
    filter: `workspace = '${workspace.id}' && action != 'stop' && action != 'delete'`,
    sort: '-number',
    expand: 'created_by',
  });
  const [last] = deployments.data?.items ?? [];
  const isTold = workspace.status === 'error' && last?.statusMessage === workspace.statusMessage;
  return (
    <div className="grid gap-3.5">
      {workspace.status === 'error' && <Failure workspace={workspace} />}
      {workspace.status === 'running' && workspace.statusMessage && (
        <Notice tone="warn" icon={<HeartPulse aria-hidden="true" />}>
          <span className="whitespace-pre-wrap">{say(workspace.statusMessage)}</span>
        </Notice>
      )}
      {hasTimes(workspace) && <TimeBar workspace={workspace} />}
      <div className="grid grid-cols-[minmax(0,1fr)_380px] gap-3.5 max-xl:grid-cols-1">
        {last ? (
          <DeploymentCard
            deployment={last}
            isToldAbove={isTold}
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
      <OverviewCards workspace={workspace} apps={apps} />
    </div>
  );
}
