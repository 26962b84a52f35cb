import type { RegistryAuthSpec } from '@/lib/protocol/specs/host';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { ownTag } from '@/lib/protocol/image-names';
import { imageReference, type SpecImage } from '@/lib/vocabulary/image-reference';
import type { BuildArgument, BuildSecret } from '@/lib/vocabulary/build-parameters';
import type { BuildPlan } from './base-images';

export interface JobImage extends SpecImage {
  id: string;
}

export interface JobOptions {
  number: number;
  host: { build_timeout: number; pull_timeout: number; push_timeout: number };
  /** Who takes a turn with it. */
  owner: string;
}

/** The job that gets an image which exists elsewhere. */
export function pullJobSpec(
  image: JobImage,
  { number, host, owner, account }: JobOptions & { account: RegistryAuthSpec | undefined },
): JobSpec & { job: 'pull' } {
  const base = { imageId: image.id, reference: imageReference(image), tag: ownTag(image.id, number), owner };
  return { job: 'pull', ...base, account, timeoutMs: host.pull_timeout * 1000, cancel: false };
}

interface BuiltImage {
  force_pull_base: boolean;
  buildArguments: readonly BuildArgument[] | null;
  /** Sealed, until the agent asks for them. */
  buildSecrets: readonly BuildSecret[] | null;
}

/** Without arguments or secrets, older agents read the job, too. */
function giveParameters({ force_pull_base: pullBase, ...image }: BuiltImage): Partial<JobSpec & { job: 'build' }> {
  const [given, secrets] = [image.buildArguments ?? [], image.buildSecrets ?? []];
  if (given.length + secrets.length === 0) return { pullBase };
  const plain = ({ name, value }: BuildArgument): BuildArgument => ({ name, value });
  return { parameters: { pullBase, arguments: given.map(plain), secrets: secrets.map(plain) } };
}

/** The job that builds an image. On its host it has a name of ours alone; the one that was chosen is pushed under. */
export function buildJobSpec(
  image: JobImage & BuiltImage,
  { number, host, owner, plan, push }: JobOptions & { plan: BuildPlan; push: (JobSpec & { job: 'build' })['push'] },
): JobSpec & { job: 'build' } {
  const { dockerfile, bases, fetches, hasHereDocuments, context } = plan;
  return {
    job: 'build',
    imageId: image.id,
    reference: ownTag(image.id, number),
    owner,
    timeoutMs: host.build_timeout * 1000,
    cancel: false,
    dockerfile,
    // Without one, agents of protocol 4 read the job, too.
    ...(context.length > 0 ? { context } : { files: [] }),
    ...giveParameters(image),
    labels: {},
    bases,
    push: push && { ...push, timeoutMs: host.push_timeout * 1000 },
    fetches,
    // Someone who may change an image, and no other, could put into its caches what its next build takes from them.
    cacheScope: image.id,
    hasHereDocuments,
    ...(plan.lock && { lock: plan.lock }),
  };
}
