import type { JobSpec } from '@/lib/protocol/specs/job';
import { imageReference, type SpecImage } from '@/lib/vocabulary/image-reference';

export interface JobImage extends SpecImage {
  id: string;
  dockerfile: string;
  baseImage: string;
  force_pull_base: boolean;
}

/** The job that makes an image on its build host: a build, or a pull of an image that exists elsewhere. */
export function buildJobSpec(
  image: JobImage,
  host: { build_timeout: number; pull_timeout: number },
): Exclude<JobSpec, { job: 'remove-image' }> {
  const base = { imageId: image.id, reference: imageReference(image), cancel: false };
  if (image.creationType === 'pullAnImage') return { job: 'pull', ...base, timeoutMs: host.pull_timeout * 1000 };
  return {
    job: 'build',
    ...base,
    timeoutMs: host.build_timeout * 1000,
    dockerfile: image.dockerfile || `FROM ${image.baseImage}\n`,
    files: [],
    pullBase: image.force_pull_base,
    pushAfterBuild: image.push_after_build,
    labels: {},
  };
}
