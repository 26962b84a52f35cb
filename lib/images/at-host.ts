import 'server-only';
import { builds } from './builds';
import { images, type ImageRow } from './collection';
import { nowMs, wireNow } from '@/lib/clock';
import { canMoveImage, type ImageStatus, isBuildOver } from '@/lib/vocabulary/image-status';
import { type JobEvent, jobEventSchema } from '@/lib/protocol/calls';
import type { BaseImageSpec, JobSpec } from '@/lib/protocol/specs/job';
import type { RowOf } from '@/lib/records/collection';
import type { WriteTransaction } from '@/lib/records/transaction';
import { openAccount } from '@/lib/hosts/registry-accounts';
import { tryOpen, UnsealError } from '@/lib/secrets';
import { tooOldMessage } from '@/lib/hosts/too-old';
import { tellBuildFollowers } from './build-log-feed';
import { moveCheck } from './check/kept-checks';
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
  open: openAccounts,
  job: news(jobEventSchema, applyJobEvent),
  unsupported(tx, object, { hostId }) {
    failJob(tx, { hostId, id: object.id, message: tooOldMessage(tx, { hostId, what: 'job', object }) });
  },
  unreadable: failJob,
  isGoneOnceApplied: true,
});

/** Throws for a password that can't be read, unless the job is only to stop. */
function openAccounts(spec: JobSpec): JobSpec {
  if (spec.cancel) return spec;
  const account = 'account' in spec && spec.account ? openAccount(spec.account) : undefined;
  const open = (base: BaseImageSpec) => (base.account ? { ...base, account: openAccount(base.account) } : base);
  if (spec.job === 'pull') return { ...spec, account };
  if (spec.job === 'check') return { ...spec, bases: spec.bases.map(open) };
  if (spec.job !== 'build') return spec;
  const { bases, push, parameters } = spec;
  return {
    ...spec,
    ...(parameters && { parameters: { ...parameters, secrets: parameters.secrets.map(openSecret) } }),
    bases: bases?.map(open),
    push: push?.account ? { ...push, account: openAccount(push.account) } : push,
  };
}

function openSecret({ name, value }: { name: string; value: string }): { name: string; value: string } {
  const opened = tryOpen(value);
  if (opened !== undefined) return { name, value: opened };
  throw new UnsealError(`The build secret ${name} can't be read: it was sealed with another secret, or damaged.`);
}

function failJob(tx: WriteTransaction, { hostId, id, message }: { hostId: string; id: string; message: string }): void {
  const nothing = { queuePlace: 0, imageId: '', digest: '', sizeBytes: 0, exposedPorts: [], at: nowMs() };
  applyJobEvent(tx, { ...nothing, id, status: 'error', message }, { hostId });
}

/** Brings a build, its image and the workspaces that wait for it up to what the host says of the job. */
function applyJobEvent(tx: WriteTransaction, event: JobEvent, { hostId }: Pick<ReportSource, 'hostId'>): void {
  const status = statusOfJob[event.status];
  if (isBuildOver(status)) dropJob(tx, hostId, event.id);
  if (moveCheck(tx, { id: event.id, hostId, status, message: event.message })) {
    tx.afterCommit.push(() => tellBuildFollowers(event.id));
    return;
  }
  const build = tx.get(builds, event.id);
  if (!build || build.host !== hostId || isBuildOver(build.status)) return;
  const updated = tx.patch(builds, build.id, buildPatch(build, event, status)) ?? build;
  tx.afterCommit.push(() => tellBuildFollowers(build.id));
  const image = tx.get(images, build.image);
  if (!image || image.buildNumber !== build.number) return;
  tellBuildNews(tx, moveImage(tx, image, { build: updated, status, event }), newsOfJob[event.status]);
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

function moveImage(
  tx: WriteTransaction,
  image: ImageRow,
  { build, status, event }: { build: BuildRow; status: ImageStatus; event: JobEvent },
): ImageRow {
  const present = (image.status || 'build_pending') as ImageStatus;
  if (!canMoveImage(present, status)) return image;
  const { imageId, sizeBytes } = build;
  const result =
    status === 'build_finished' ? { imageId, sizeBytes, exposedPorts: event.exposedPorts, newerDigest: '' } : {};
  return tx.patch(images, image.id, { status, statusMessage: build.statusMessage, ...result }) ?? image;
}
