import { readOwnName } from '../../lib/protocol/image-names';
import type { RegistryAuthSpec } from '../../lib/protocol/specs/host';
import type { JobSpec } from '../../lib/protocol/specs/job';
import type { Engine, ImageResult, JobOptions } from '../engines/engine';
import { EngineError } from '../engines/engine-error';
import type { BuildFiles } from './build-files';
import type { Deadline } from './deadline';
import { explainFailure, LogTail } from './explain-failure';
import { handInLock, type SendLock } from './hand-in-lock';
import { HostNames } from './host-names';
import { type BuildSpec, nameBases, prepareBuild } from './prepare-build';

export interface JobContext {
  engine: Engine;
  hostId: string;
  /** Of a console of protocol 2, for jobs that bring no account of their own. */
  auths: RegistryAuthSpec[];
  options: JobOptions;
  jobId: string;
  files: BuildFiles;
  deadline: Deadline;
  sendLock: SendLock;
  isCheck?: boolean;
}

export function performJob(spec: JobSpec, context: JobContext): Promise<ImageResult> {
  if (spec.job === 'pull') return pull(spec, context);
  if (spec.job === 'check') return check(spec, context);
  return spec.job === 'remove-image' ? removeImage(spec, context) : build(spec, context);
}

/** Takes away what a job that came to nothing may yet have left on the host: it is called over, so nobody would look for it. */
export async function dropResult(spec: JobSpec, engine: Engine): Promise<void> {
  const name =
    spec.job === 'build' || spec.job === 'check' ? spec.reference : spec.job === 'pull' ? (spec.tag ?? '') : '';
  if (name !== '' && readOwnName(name)) await engine.removeImage(name);
}

function pull(
  { reference, tag, account }: Extract<JobSpec, { job: 'pull' }>,
  { engine, auths, options }: JobContext,
): Promise<ImageResult> {
  if (!tag) return engine.pull(reference, auths, options);
  return HostNames.of(engine).pull({ reference, tag, auths: account ? [account] : [], options });
}

async function build(
  spec: BuildSpec,
  { engine, hostId, auths, options, jobId, files, deadline, sendLock, isCheck }: JobContext,
): Promise<ImageResult> {
  const { bases, push, reference, context = [] } = spec;
  if (!bases) {
    const image = await engine.build({ hostId, spec, auths }, options);
    if (!spec.pushAfterBuild) return image;
    const { digest } = await engine.push(reference, auths, options);
    return { ...image, digest };
  }
  const prepared = await prepareBuild(engine, spec, options);
  const tail = new LogTail();
  const log = (text: string): void => {
    const named = nameBases(text, bases);
    tail.append(named);
    options.log(named);
  };
  const image = await files
    .use({ jobId, context }, options, (got) =>
      engine.build({ hostId, spec, auths: [], files: got }, { ...options, log }),
    )
    .catch((error: unknown) => {
      throw spec.lock || isCheck ? explained(error, tail.text, spec) : error;
    });
  if (spec.lock) {
    const built = { jobId, hostId, spec, imageId: image.imageId, bases: prepared };
    await handInLock(built, { engine, sendLock, options });
  }
  if (!push) return image;
  if (push.timeoutMs !== undefined) deadline.begin('push', push.timeoutMs);
  const account = push.account ? [push.account] : [];
  const { digest } = await HostNames.of(engine).push(reference, { reference: push.reference, auths: account, options });
  return { ...image, digest };
}

/** Builds what nobody keeps; it goes when it is done, and what it was made of goes with the builder's own cache. */
async function check(spec: Extract<JobSpec, { job: 'check' }>, context: JobContext): Promise<ImageResult> {
  const { job: _, ...parts } = spec;
  const asBuild: BuildSpec = { ...parts, job: 'build', pullBase: false, labels: {} };
  await build(asBuild, { ...context, isCheck: true });
  await dropResult(spec, context.engine);
  return { imageId: '', digest: '', sizeBytes: 0, exposedPorts: [] };
}

/** What a builder says of a step that failed is its number and all of its text: people want to know why. */
function explained(error: unknown, log: string, { bases = [] }: BuildSpec): unknown {
  if (!(error instanceof EngineError) || error.kind === 'cancelled') return error;
  const words = explainFailure(log);
  if (words === '') return error;
  const isLocked = bases.some(({ pin }) => pin) && words.includes('nothing fits');
  return new EngineError(error.kind, `${isLocked ? 'A version of the lock is gone. ' : ''}${words}`, { cause: error });
}

/** Takes an image's names away; the image itself goes with its last name, whoever gave it. */
async function removeImage(
  spec: Extract<JobSpec, { job: 'remove-image' }>,
  { engine }: JobContext,
): Promise<ImageResult> {
  const { reference, engineImageId, repository } = spec;
  const own = repository ? await engine.listTags(repository) : [];
  for (const tag of own) await engine.removeImage(tag);
  const found = await engine.findImage(reference);
  if (found && (engineImageId === '' ? !repository : found === engineImageId)) await engine.removeImage(reference);
  const left = engineImageId === '' ? null : await engine.describeImage(engineImageId);
  if (left?.tags.length === 0) await engine.removeImage(engineImageId);
  return { imageId: engineImageId, digest: '', sizeBytes: 0, exposedPorts: [] };
}
