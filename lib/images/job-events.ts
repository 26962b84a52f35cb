import 'server-only';
import { builds } from './builds';
import { images, type ImageRow } from './collection';
import { wireNow } from '@/lib/clock';
import { canMoveImage, type ImageStatus } from '@/lib/vocabulary/image-status';
import type { JobEvent } from '@/lib/protocol/calls';
import type { RowOf } from '@/lib/records/collection';
import type { WriteTransaction } from '@/lib/records/transaction';
import { tellBuildFollowers } from './build-log-feed';
import { type BuildNews, tellBuildNews } from './build-news';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';

type BuildRow = RowOf<typeof builds.table>;

const statusOfJob: Record<JobEvent['status'], ImageStatus> = {
  pending: 'build_pending',
  running: 'building',
  done: 'build_finished',
  cancelled: 'build_cancelled',
  error: 'error',
};

const newsOfJob: Record<JobEvent['status'], BuildNews['state']> = {
  pending: 'queued',
  running: 'building',
  done: 'built',
  cancelled: 'cancelled',
  error: 'failed',
};

/** Whether a build is over. */
export function isOver(status: string): boolean {
  return status === 'build_finished' || status === 'build_cancelled' || status === 'error';
}

/** Brings a build, its image and the workspaces that wait for it up to what the host says of the job. */
export function applyJobEvent(tx: WriteTransaction, hostId: string, event: JobEvent): void {
  const status = statusOfJob[event.status];
  if (isOver(status)) dropJob(tx, hostId, event.id);
  const build = tx.get(builds, event.id);
  if (!build || build.host !== hostId || isOver(build.status)) return;
  const updated = tx.patch(builds, build.id, buildPatch(build, event, status)) ?? build;
  tx.afterCommit.push(() => tellBuildFollowers(build.id));
  const image = tx.get(images, build.image);
  if (!image || image.buildNumber !== build.number) return;
  tellBuildNews(tx, moveImage(tx, image, updated, status), newsOfJob[event.status]);
}

/** A job that is over is asked for no more. Its tombstone goes once the agent has applied it. */
function dropJob(tx: WriteTransaction, hostId: string, jobId: string): void {
  const desired = getDesired(hostId, 'job', jobId);
  if (desired?.spec) putDesired(tx, { hostId, kind: 'job', objectId: jobId, spec: null });
}

function buildPatch(build: BuildRow, event: JobEvent, status: ImageStatus): Partial<BuildRow> {
  const now = wireNow();
  const isDone = isOver(status);
  return {
    status,
    statusMessage: event.message,
    queuePlace: status === 'build_pending' ? event.queuePlace : 0,
    started: build.started || (status === 'build_pending' ? '' : now),
    finished: isDone ? now : '',
    ...(status === 'build_finished' && { imageId: event.imageId, digest: event.digest, sizeBytes: event.sizeBytes }),
  };
}

function moveImage(tx: WriteTransaction, image: ImageRow, build: BuildRow, status: ImageStatus): ImageRow {
  const present = (image.status || 'build_pending') as ImageStatus;
  if (!canMoveImage(present, status)) return image;
  const result = status === 'build_finished' ? { imageId: build.imageId, sizeBytes: build.sizeBytes } : {};
  return tx.patch(images, image.id, { status, statusMessage: build.statusMessage, ...result }) ?? image;
}
