import type Docker from 'dockerode';
import { normalizeName } from '../../../lib/protocol/image-names';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';
import type { DescribedImage, ImageResult, JobOptions } from '../engine';
import { readExposedPorts } from '../exposed-ports';
import { EngineError } from '../engine-error';
import { ask, openStream } from './docker-client';
import { toEngineError, toStreamError } from './docker-errors';
import { readProgress } from './json-lines';
import { LayerProgress } from './layer-progress';
import { authHeader } from './registry-auth';

export interface ReferenceParts {
  repository: string;
  /** Tag or digest. */
  tag: string;
}

/** `a/b:c` → `a/b` and `c`; `latest` where nothing is said; a digest counts as a tag. */
export function splitReference(reference: string): ReferenceParts {
  const at = reference.indexOf('@');
  if (at > 0) return { repository: reference.slice(0, at), tag: reference.slice(at + 1) };
  const colon = reference.lastIndexOf(':');
  if (colon > reference.lastIndexOf('/'))
    return { repository: reference.slice(0, colon), tag: reference.slice(colon + 1) };
  return { repository: reference, tag: 'latest' };
}

export async function findImage(docker: Docker, reference: string): Promise<string | null> {
  try {
    return (await ask(() => docker.getImage(reference).inspect())).Id;
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return null;
    throw error;
  }
}

export async function inspectImage(docker: Docker, image: string): Promise<DescribedImage | null> {
  try {
    const info = await ask(() => docker.getImage(image).inspect());
    const { OnBuild } = info.Config as { OnBuild?: string[] | null };
    const { Variant = '' } = info as { Variant?: string };
    const platform = [info.Os, info.Architecture, Variant].filter(Boolean).join('/');
    const labels = (info.Config.Labels ?? {}) as Record<string, string>;
    const [tags, digests] = [info.RepoTags ?? [], info.RepoDigests ?? []];
    return { imageId: info.Id, tags, labels, platform, triggers: OnBuild ?? [], digests };
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return null;
    throw error;
  }
}

export async function tagImage(docker: Docker, image: string, name: string): Promise<void> {
  const { repository, tag } = splitReference(name);
  await ask(() => docker.getImage(image).tag({ repo: repository, tag }));
}

export async function listTags(docker: Docker, repository: string): Promise<string[]> {
  const filters = JSON.stringify({ reference: [repository] });
  const found = await ask(() => docker.listImages({ filters }));
  return found.flatMap(({ RepoTags }) => RepoTags ?? []).filter((name) => name.startsWith(`${repository}:`));
}

export async function describeImage(docker: Docker, reference: string): Promise<ImageResult> {
  const info = await ask(() => docker.getImage(reference).inspect());
  const { repository } = normalizeName(reference);
  const digest = (info.RepoDigests ?? []).find((entry) => normalizeName(entry).repository === repository) ?? '';
  // The engine answers no config for some images of other tools.
  const exposed = (info.Config as { ExposedPorts?: Record<string, object> } | null)?.ExposedPorts ?? {};
  const exposedPorts = readExposedPorts(Object.keys(exposed));
  return { imageId: info.Id, digest: digest.split('@')[1] ?? '', sizeBytes: info.Size, exposedPorts };
}

export interface TransferRequest {
  reference: string;
  auths: RegistryAuthSpec[];
  options: JobOptions & { platform?: string };
}

export async function pullImage(docker: Docker, { reference, auths, options }: TransferRequest): Promise<ImageResult> {
  const { repository, tag } = splitReference(reference);
  options.log(`Pulling ${reference}\n`);
  const query = { fromImage: repository, tag, ...(options.platform && { platform: options.platform }) };
  await transfer(docker, { path: '/images/create?', query, reference, auths, options });
  return describeImage(docker, reference);
}

export async function pushImage(docker: Docker, { reference, auths, options }: TransferRequest): Promise<ImageResult> {
  const { repository, tag } = splitReference(reference);
  options.log(`Pushing ${reference}\n`);
  const path = `/images/${encodeURI(repository)}/push?`;
  await transfer(docker, { path, query: { tag }, reference, auths, options, needsAuthHeader: true });
  return describeImage(docker, reference);
}

interface Transfer extends TransferRequest {
  path: string;
  query: Record<string, string>;
  needsAuthHeader?: boolean;
}

async function transfer(docker: Docker, request: Transfer): Promise<void> {
  const { reference, auths, options } = request;
  const progress = new LayerProgress(options.log);
  const none: Record<string, string> = request.needsAuthHeader
    ? { 'X-Registry-Auth': Buffer.from('{}').toString('base64') }
    : {};
  try {
    const headers = { ...none, ...authHeader(reference, auths) };
    const { path, query } = request;
    const stream = await openStream(docker, { method: 'POST', path, query, headers, signal: options.signal });
    const stop = (): void => void stream.destroy();
    options.signal.addEventListener('abort', stop, { once: true });
    for await (const line of readProgress(stream)) {
      const words = line.errorDetail?.message ?? line.error;
      if (words) throw toStreamError(words);
      progress.take(line);
    }
    progress.finish();
  } catch (error) {
    if (options.signal.aborted) throw new EngineError('cancelled', 'Cancelled', { cause: error });
    throw toEngineError(error);
  }
  if (options.signal.aborted) throw new EngineError('cancelled', 'Cancelled');
}

export async function removeImage(docker: Docker, image: string): Promise<void> {
  try {
    await ask(() => docker.getImage(image).remove());
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return;
    throw error;
  }
}
