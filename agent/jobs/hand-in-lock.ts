import { type JobLockRequest, lockLimits } from '../../lib/protocol/calls';
import { Backoff } from '../backoff';
import type { AgentClock } from '../clock';
import { type ConsoleClient, ConsoleRefusalError } from '../console/console-client';
import type { Engine, ImageFile, JobOptions } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import { waitFor } from '../wait';
import type { BuildSpec } from './prepare-build';

/** Hands in a lock; false when the console does not take it. Rejects when it is to stop. */
export type SendLock = (jobId: string, lock: JobLockRequest, signal: AbortSignal) => Promise<boolean>;

const RETRY = { firstMs: 250, longestMs: 10_000 };

/** Sends until the console takes it: whoever can't tell what was resolved can't tell that the build has ended, either. */
export function createLockSender(
  client: ConsoleClient,
  { clock, signal: stopping }: { clock: AgentClock; signal: AbortSignal },
): SendLock {
  return async (jobId, lock, signal) => {
    const backoff = new Backoff({ ...RETRY, random: () => clock.random() });
    const either = AbortSignal.any([stopping, signal]);
    for (;;) {
      try {
        await client.jobLock(jobId, lock, either);
        return true;
      } catch (error) {
        either.throwIfAborted();
        // A console of before, or one that dropped the job.
        if (error instanceof ConsoleRefusalError && error.isHopeless) return false;
      }
      await waitFor(backoff.next(), either);
      either.throwIfAborted();
    }
  };
}

interface Built {
  jobId: string;
  hostId: string;
  spec: BuildSpec;
  imageId: string;
  bases: JobLockRequest['bases'];
}

/**
 * Reads what a build has resolved out of its image, and hands it in. A lock that can't be had is no reason to call the build
 * failed: its log says so.
 */
export async function handInLock(
  { jobId, hostId, spec, imageId, bases }: Built,
  { engine, sendLock, options }: { engine: Engine; sendLock: SendLock; options: JobOptions },
): Promise<void> {
  const asked = (spec.lock ?? []).slice(0, lockLimits.environments);
  try {
    const paths = asked.map(({ path }) => path);
    const request = { hostId, image: imageId, paths, maxBytes: lockLimits.fileBytes };
    const files = paths.length > 0 ? await engine.readImageFiles(request, options.signal) : [];
    const environments = toEnvironments(
      asked.map(({ environment }) => environment),
      files,
    );
    const isTaken = await sendLock(jobId, { bases: bases.slice(0, lockLimits.bases), environments }, options.signal);
    if (!isTaken) options.log('The console does not take what was resolved.\n');
  } catch (error) {
    // One whose time is up by now is built all the same.
    if (!isLate(options.signal)) options.signal.throwIfAborted();
    options.log(`What was resolved could not be kept: ${toMessage(error)}\n`);
  }
}

function isLate({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
}

/** What an image says of itself is of strangers: text alone goes on, and no more of it than a console takes. */
function toEnvironments(names: readonly string[], files: readonly ImageFile[]): JobLockRequest['environments'] {
  let left: number = lockLimits.allBytes;
  return files.map(({ bytes, problem }, index) => {
    const name = names[index] ?? '';
    if (problem !== '') return { name, text: '', problem };
    if (bytes.length > left) return { name, text: '', problem: 'all of them together are too large' };
    left -= bytes.length;
    const text = bytes.toString('latin1');
    return isPlain(text) ? { name, text, problem: '' } : { name, text: '', problem: 'it is no plain text' };
  });
}

/** Nothing but lines of printable ASCII. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e\n]*$/.test(text);
}
