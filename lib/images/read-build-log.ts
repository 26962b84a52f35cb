import 'server-only';
import { builds } from './builds';
import { images } from './collection';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { followBuild } from './build-log-feed';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import type { Actor } from '@/lib/policies/actor';
import { StoreReader } from '@/lib/records/transaction';
import { getLogState, listChunks, type LogChunk } from './build-logs';
import { requireAct } from '@/lib/records/acts';
import { watchAccess } from '@/lib/auth/watch-access';

/** Chunks read at once: at most 1 MiB of text. */
const PAGE = 16;

export interface BuildLogRequest {
  imageId: string;
  /** Number of the build; undefined for the newest. */
  number: number | undefined;
  /** The last chunk that the reader holds. */
  after: number;
  follow: boolean;
}

export interface OpenBuildLog {
  /** Fires when the actor may no longer read it; the chunks end then. */
  revoked: AbortSignal;
  /** Chunks in order; returns the build's status when it ends. */
  chunks: AsyncGenerator<LogChunk, string>;
}

/**
 * Opens the log of an image's build, live while it runs, until the signal fires, which it must in the end. Throws
 * `not_found` without view on the image or such a build.
 */
export function openBuildLog(
  actor: Actor,
  { imageId, number, after, follow }: BuildLogRequest,
  signal: AbortSignal,
): OpenBuildLog {
  const reader = new StoreReader();
  const image = requireAct(actor, { collection: images, id: imageId, act: 'view', reader });
  const build = reader.find(builds, { image: imageId, number: number ?? image.buildNumber }, { limit: 1 })[0];
  if (!build) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  const access = watchAccess(actor, { collection: images, id: imageId, act: 'view' });
  signal.addEventListener('abort', access.stop, { once: true });
  const either = AbortSignal.any([signal, access.signal]);
  const statusOf = () => new StoreReader().get(builds, build.id)?.status ?? 'error';
  return { revoked: access.signal, chunks: readJobLog(build.id, { after, follow, signal: either, statusOf }) };
}

/** The log of a job, live until it is over or the signal fires; returns the job's status. */
export async function* readJobLog(
  buildId: string,
  { after, follow, signal, statusOf }: { after: number; follow: boolean; signal: AbortSignal; statusOf: () => string },
): AsyncGenerator<LogChunk, string> {
  const news = createBell(signal);
  const stopFollowing = followBuild(buildId, news.ring);
  let last = after;
  try {
    for (;;) {
      // The status is read before the chunks: what was there when it ended is then sent.
      const status = statusOf();
      const chunks = listChunks(buildId, { after: last, upTo: getLogState(buildId).acknowledged, limit: PAGE });
      for (const chunk of chunks) yield chunk;
      last = chunks.at(-1)?.sequence ?? last;
      if (signal.aborted) return status;
      if (chunks.length > 0) continue;
      if (isBuildOver(status) || !follow) return status;
      await news.heard();
    }
  } finally {
    stopFollowing();
  }
}

/** Remembers a ring that came while nobody listened, so that no news is missed. The signal rings it too. */
function createBell(signal: AbortSignal): { ring: () => void; heard: () => Promise<void> } {
  let hasRung = false;
  let wake: (() => void) | undefined;
  const ring = () => {
    hasRung = true;
    wake?.();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    async heard() {
      if (!hasRung && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      hasRung = false;
    },
  };
}
