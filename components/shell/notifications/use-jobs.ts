'use client';

import { dateMs } from '@/components/data/dates';
import { useRecordCount, useRecordList } from '@/components/data/records';
import type { BuildRecord, Collections, DeploymentRecord, ImageRecord } from '@/components/data/types';
import { paths } from '@/lib/paths';
import { TIME_NOTICES, type TimeNotice } from '@/lib/vocabulary/time-notices';

/** As many as the panel shows at first. */
export const FIRST_JOBS = 20;

export type JobState = 'busy' | 'failed' | 'done';
/** Notices are no jobs: they have no state. */
type RowState = JobState | 'notice';
const FOLLOWING = { followsFilter: true };
const DEPLOYMENT_ACTIONS = ['start', 'redeploy', 'stop', 'delete', 'repair'] as const;

export interface Job {
  id: string;
  state: RowState;
  /** Key of its words. */
  kind: 'build' | 'pull' | 'notice' | (typeof DEPLOYMENT_ACTIONS)[number];
  /** What a notice tells. */
  notice?: { kind: TimeNotice; details: Record<string, string | number> };
  name: string;
  number: number;
  isCancelled: boolean;
  /** When it began and, once it is over, ended. */
  at: string;
  atMs: number;
  message: string;
  href: string;
  /** The image whose build may be cancelled by the viewer now. */
  cancellable?: ImageRecord;
}

const IN_STATE: Record<JobState, { builds: string; deployments: string }> = {
  busy: { builds: "status = 'build_pending' || status = 'building'", deployments: "status = 'pending'" },
  failed: { builds: "status = 'error'", deployments: "status = 'failed'" },
  done: {
    builds: "status = 'build_finished' || status = 'build_cancelled'",
    deployments: "status != 'pending' && status != 'failed'",
  },
};

/** How many builds and deployments there are in a state. */
export function useJobCount(state: JobState): number {
  const builds = useRecordCount('builds', IN_STATE[state].builds) ?? 0;
  const deployments = useRecordCount('deployments', IN_STATE[state].deployments) ?? 0;
  return builds + deployments;
}

/** Builds and deployments that the viewer may see, the newest first; of one state where it is named. */
export function useJobs(perPage: number, state?: JobState): { jobs: Job[]; isReady: boolean; hasOlder: boolean } {
  const params = { page: 1, perPage, sort: '-created' };
  const filters = state ? IN_STATE[state] : { builds: '', deployments: '' };
  const builds = useRecordList('builds', { ...params, filter: filters.builds, expand: 'image' }, FOLLOWING);
  const deployments = useRecordList(
    'deployments',
    { ...params, filter: filters.deployments, expand: 'workspace' },
    FOLLOWING,
  );
  const notices = useRecordList('time_notices', { ...params, filter: state ? "id = ''" : '' }, FOLLOWING);
  const jobs = [
    ...(builds.data?.items ?? []).map(ofBuild),
    ...(deployments.data?.items ?? []).map(ofDeployment),
    ...(notices.data?.items ?? []).flatMap(ofNotice),
  ].sort((a, b) => b.atMs - a.atMs);
  const hasOlder = [builds, deployments, notices].some(
    ({ data }) => data !== undefined && data.totalItems > data.items.length,
  );
  return { jobs, isReady: [builds, deployments, notices].every(({ isSuccess }) => isSuccess), hasOlder };
}

function ofBuild(build: BuildRecord): Job {
  const image = build.expand?.image;
  const isBusy = build.status === 'build_pending' || build.status === 'building';
  const at = build.finished || build.created;
  return {
    id: build.id,
    state: isBusy ? 'busy' : build.status === 'error' ? 'failed' : 'done',
    kind: build.kind === 'pull' ? 'pull' : 'build',
    name: image?.name ?? '–',
    number: build.number,
    isCancelled: build.status === 'build_cancelled',
    at,
    atMs: dateMs(at) ?? 0,
    message: build.statusMessage,
    href: paths.image(build.image),
    ...(isBusy && image && build.can?.['cancel'] && !build.cancelRequested ? { cancellable: image } : {}),
  };
}

function ofDeployment(deployment: DeploymentRecord): Job {
  const at = deployment.finished || deployment.created;
  const isOver = deployment.status !== 'pending';
  return {
    id: deployment.id,
    state: !isOver ? 'busy' : deployment.status === 'failed' ? 'failed' : 'done',
    kind: DEPLOYMENT_ACTIONS.find((action) => action === deployment.action) ?? 'start',
    name: deployment.expand?.workspace?.name ?? '–',
    number: deployment.number,
    isCancelled: false,
    at,
    atMs: dateMs(at) ?? 0,
    message: deployment.statusMessage,
    href: paths.workspace(deployment.workspace, deployment.status === 'failed' ? 'activity' : undefined),
  };
}

function hrefOf({ host, workspace }: Collections['time_notices'], kind: TimeNotice): string {
  if (host) return paths.host(host);
  return kind === 'deleted' ? paths.workspaces : paths.workspace(workspace);
}

function ofNotice(notice: Collections['time_notices']): Job[] {
  const kind = TIME_NOTICES.find((each) => each === notice.kind);
  if (!kind) return [];
  return [
    {
      id: notice.id,
      state: 'notice',
      kind: 'notice',
      notice: { kind, details: notice.details },
      name: notice.name,
      number: 0,
      isCancelled: false,
      at: notice.created,
      atMs: dateMs(notice.created) ?? 0,
      message: '',
      href: hrefOf(notice, kind),
    },
  ];
}
