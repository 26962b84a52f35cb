import 'server-only';
import { builds } from './builds';
import { images, type ImageRow } from './collection';
import { wireNow } from '@/lib/clock';
import { canMoveImage, type ImageStatus, isBuildOver } from '@/lib/vocabulary/image-status';
import { type JobEvent, jobEventSchema } from '@/lib/protocol/calls';
import type { JobSpec } from '@/lib/protocol/specs/job';
import type { RowOf } from '@/lib/records/collection';
import type { WriteTransaction } from '@/lib/records/transaction';
import { tooOldMessage } from '@/lib/hosts/too-old';
import { tellBuildFollowers } from './build-log-feed';
import { type BuildNews, tellBuildNews } from './build-news';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { defineKind, news, type ReportSource } from '@/lib/hosts/link/kinds';

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

/** Jobs on the host link: builds, pulls and removals of images, each by the id of its build. */
export const jobKind = defineKind('job', {
  open: (spec: JobSpec): JobSpec => spec,
  job: news(jobEventSchema, applyJobEvent),
  unsupported(tx, object, from) {
    const message = tooOldMessage(tx, { hostId: from.hostId, what: 'job', object });
    const nothing = { queuePlace: 0, imageId: '', digest: '', sizeBytes: 0 };
    applyJobEvent(tx, { ...nothing, id: object.id, status: 'error', message, at: from.sentAt }, from);
  },
  isGoneOnceApplied: true,
});

/** Brings a build, its image and the workspaces that wait for it up to what the host says of the job. */
function applyJobEvent(tx: WriteTransaction, event: JobEvent, { hostId }: ReportSource): void {
  const status = statusOfJob[event.status];
  if (isBuildOver(status)) dropJob(tx, hostId, event.id);
  const build = tx.get(builds, event.id);
  if (!build || build.host !== hostId || isBuildOver(build.status)) return;
  const updated = tx.patch(builds, build.id, buildPatch(build, event, status)) ?? build;
  tx.afterCommit.push(() => tellBuildFollowers(build.id));
  const image = tx.get(images, build.image);
  if (!image || image.buildNumber !== build.number) return;
  tellBuildNews(tx, moveImage(tx, image, updated, status), newsOfJob[event.status]);
}

/** A job that is over is asked for no more. Its tombstone goes once the agent has applied it. */
function dropJob(tx: WriteTransaction, hostId: string, jobId: string): void {
  const desired = getDesired(jobKind, hostId, jobId);
  if (desired?.spec) putDesired(tx, jobKind, { hostId, objectId: jobId, spec: null });
}

function buildPatch(build: BuildRow, event: JobEvent, status: ImageStatus): Partial<BuildRow> {
  const now = wireNow();
  const isDone = isBuildOver(status);
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
