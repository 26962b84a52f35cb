import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { readInstructions } from '../../../lib/protocol/dockerfile';
import { pullsBase } from '../../../lib/protocol/specs/job';
import { labels } from '../../../lib/protocol/specs/desired';
import type { BuildRequest, ImageResult, JobOptions } from '../engine';
import { EngineError } from '../engine-error';
import { packContext } from './build-context';
import { type BuildSession, hideSecrets, openBuildSession } from './build-session';
import { decodeTrace } from './buildkit-trace';
import { openStream } from './docker-client';
import { saysDiskIsFull, toEngineError, toStreamError, withFullDisk } from './docker-errors';
import { describeImage, findImage, pullImage } from './docker-images';
import { readProgress } from './json-lines';
import { configHeader, findAuth } from './registry-auth';
import { TraceLog } from './trace-log';

/** How long the engine may take to end a cancelled build before its connection is dropped, which also ends it. */
const CANCEL_GRACE_MS = 5000;

/** What BuildKit puts before the ids of cache mounts, whatever the Dockerfile calls them. */
const CACHE_SCOPE = 'BUILDKIT_CACHE_MOUNT_NS';

export interface BuildContextRequest extends BuildRequest {
  useBuildKit: boolean;
  /** How long the builder may take to say its first word. */
  firstWordMs: number;
}

/** Builds an image. An aborted build rejects as `cancelled` once the engine's answer has ended, so it really stopped. */
export async function buildImage(
  docker: Docker,
  request: BuildContextRequest,
  options: JobOptions,
): Promise<ImageResult> {
  const { spec } = request;
  // The bases of a newer console are on the host already, under names that no registry is asked for.
  if (!spec.bases) await pullPrivateBases(docker, request, options);
  const secrets = spec.parameters?.secrets ?? [];
  if (secrets.length > 0 && !request.useBuildKit) {
    throw new EngineError('invalid', 'The builder of this host knows no secrets: it has no BuildKit.');
  }
  const body = packContext(request);
  const buildId = randomUUID();
  const answerAbort = new AbortController();
  let unread: unknown;
  body.once('error', (error) => {
    unread = error;
    answerAbort.abort();
  });
  let isDiskFull = false;
  let session: BuildSession | undefined;
  const hide = hideSecrets(secrets);
  const log = (text: string): void => {
    isDiskFull ||= saysDiskIsFull(text);
    options.log(hide(text));
  };
  // Before the answer begins: a builder that never answers is cancelled all the same.
  const stopWatching = cancelOnAbort(docker, { buildId, signal: options.signal, answerAbort });
  try {
    options.signal.throwIfAborted();
    if (secrets.length > 0) session = await openBuildSession(docker, { secrets, signal: answerAbort.signal });
    const stream = await openStream(docker, {
      method: 'POST',
      path: '/build?',
      query: toQuery(request, { buildId, session: session?.id }),
      body,
      headers: configHeader(request.auths),
      signal: answerAbort.signal,
    });
    const drop = (): void => void stream.destroy();
    answerAbort.signal.addEventListener('abort', drop, { once: true });
    await followBuild(stream, { log, firstWordMs: request.firstWordMs });
  } catch (error) {
    if (options.signal.aborted) throw new EngineError('cancelled', 'Cancelled', { cause: error });
    const failure = toEngineError(unread ?? error);
    throw isDiskFull ? withFullDisk(failure) : failure;
  } finally {
    body.destroy();
    session?.close();
    stopWatching();
  }
  if (options.signal.aborted) throw new EngineError('cancelled', 'Cancelled');
  return describeImage(docker, spec.reference);
}

interface QueryIds {
  buildId: string;
  /** Where the builder asks for secrets. */
  session: string | undefined;
}

function toQuery(
  { spec, hostId, useBuildKit }: BuildContextRequest,
  { buildId, session }: QueryIds,
): Record<string, string> {
  const given = Object.fromEntries((spec.parameters?.arguments ?? []).map(({ name, value }) => [name, value]));
  const imageLabels = { ...spec.labels, [labels.host]: hostId, [labels.kind]: 'image', [labels.id]: spec.imageId };
  return {
    t: spec.reference,
    version: useBuildKit ? '2' : '1',
    buildid: buildId,
    labels: JSON.stringify(imageLabels),
    rm: '1',
    forcerm: '1',
    ...(pullsBase(spec) && !spec.bases ? { pull: '1' } : {}),
    buildargs: JSON.stringify({ ...given, ...(useBuildKit && spec.cacheScope && { [CACHE_SCOPE]: spec.cacheScope }) }),
    ...(session ? { session } : {}),
  };
}

interface Cancel {
  buildId: string;
  signal: AbortSignal;
  answerAbort: AbortController;
}

function cancelOnAbort(docker: Docker, { buildId, signal, answerAbort }: Cancel): () => void {
  let timer: NodeJS.Timeout | undefined;
  const drop = (): void => answerAbort.abort();
  const cancel = (): void => {
    timer = setTimeout(drop, CANCEL_GRACE_MS);
    openStream(docker, { method: 'POST', path: '/build/cancel?', query: { id: buildId } }).then(
      (answer) => answer.resume(),
      drop,
    );
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  };
}

interface Follow {
  log(text: string): void;
  firstWordMs: number;
}

/** A step may be silent for as long as it likes, but a builder that never begins is given up. */
async function followBuild(stream: Readable, { log, firstWordMs }: Follow): Promise<void> {
  const trace = new TraceLog(log);
  const words = `The builder of the Docker engine said nothing within ${Math.round(firstWordMs / 1000)} s`;
  const silence = setTimeout(() => stream.destroy(new EngineError('unreachable', words)), firstWordMs);
  stream.once('close', () => clearTimeout(silence));
  for await (const line of readProgress(stream)) {
    clearTimeout(silence);
    const failure = line.errorDetail?.message ?? line.error;
    if (failure) {
      log(`${failure}\n`);
      throw toStreamError(failure);
    }
    if (line.id === 'moby.buildkit.trace' && typeof line.aux === 'string') trace.take(decodeTrace(line.aux));
    else if (line.stream) log(line.stream);
    else if (line.status && !line.progressDetail) log(`${line.id ? `${line.id}: ` : ''}${line.status}\n`);
  }
}

/**
 * BuildKit without a session reads no sign-ins, so base images of registries with one are pulled first; the build then
 * takes them from the host.
 */
async function pullPrivateBases(docker: Docker, request: BuildContextRequest, options: JobOptions): Promise<void> {
  const { spec, auths } = request;
  for (const reference of listBases(spec.dockerfile)) {
    if (!findAuth(reference, auths)) continue;
    if (!pullsBase(spec) && (await findImage(docker, reference))) continue;
    await pullImage(docker, { reference, auths, options });
  }
}

/** The images that the Dockerfile starts from, without its own stages and without names that hold variables. */
export function listBases(dockerfile: string): string[] {
  const instructions = readInstructions(dockerfile);
  if (!Array.isArray(instructions)) return [];
  const stages = new Set<string>();
  const bases = new Set<string>();
  for (const { word, rest } of instructions) {
    if (word !== 'FROM') continue;
    const [base = '', , stage] = rest.split(/\s+/).filter((part) => !part.startsWith('--'));
    if (base && base !== 'scratch' && !base.includes('$') && !stages.has(base)) bases.add(base);
    if (stage) stages.add(stage);
  }
  return [...bases];
}
