import type Docker from 'dockerode';
import { labels } from '../../../lib/protocol/specs/desired';
import type { ImageFile, ImageFilesRequest } from '../engine';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';
import { entriesOf, openArchive } from './inside/archives';

/** Label of the containers that images are read by. None of them is ever started. */
const READER = 'reader';
/** Nothing of an image is run for it; engines want a command all the same. */
const NO_COMMAND = '/berth-reads-only';
const READ_MS = 30_000;

const NOTHING = Buffer.alloc(0);
/** Containers that reads of this process are about. */
const inUse = new Set<string>();

/**
 * Reads small files of an image by way of a container that is never started, and is gone afterwards. What is no plain file, or
 * too large, comes back as a problem: an image may hold anything there.
 */
export async function readImageFiles(
  docker: Docker,
  request: ImageFilesRequest,
  signal: AbortSignal,
): Promise<ImageFile[]> {
  return readByContainer(docker, { ...request, mounts: [] }, signal);
}

/** The same of files of the host, each as `mounts` puts it into the container. */
export async function readByContainer(
  docker: Docker,
  request: ImageFilesRequest & { mounts: Docker.MountSettings[] },
  signal: AbortSignal,
): Promise<ImageFile[]> {
  await sweep(docker, request.hostId);
  const { id } = await ask(() => docker.createContainer(toCreateOptions(request)));
  inUse.add(id);
  try {
    const files: ImageFile[] = [];
    for (const path of request.paths) {
      signal.throwIfAborted();
      const within = AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]);
      files.push(await readFile(docker, { containerId: id, path, maxBytes: request.maxBytes, signal: within }));
    }
    return files;
  } finally {
    await remove(docker, id);
    inUse.delete(id);
  }
}

function toCreateOptions({
  hostId,
  image,
  mounts,
}: ImageFilesRequest & { mounts: Docker.MountSettings[] }): Docker.ContainerCreateOptions {
  return {
    Image: image,
    Entrypoint: [NO_COMMAND],
    Cmd: [],
    NetworkDisabled: true,
    Labels: { [labels.host]: hostId, [labels.kind]: READER, [labels.id]: '' },
    HostConfig: { NetworkMode: 'none', ...(mounts.length > 0 && { Mounts: mounts }) },
  };
}

interface Asked {
  containerId: string;
  path: string;
  maxBytes: number;
  signal: AbortSignal;
}

async function readFile(docker: Docker, { maxBytes, ...asked }: Asked): Promise<ImageFile> {
  const refuse = (problem: string): ImageFile => ({ bytes: NOTHING, problem });
  try {
    const archive = await openArchive(docker, asked);
    try {
      for await (const { header, entry } of entriesOf(archive)) {
        if (header.type !== 'file') return refuse('it is no plain file');
        if ((header.size ?? 0) > maxBytes) return refuse(`it is larger than ${maxBytes} bytes`);
        const parts: Buffer[] = [];
        for await (const part of entry as AsyncIterable<Buffer>) parts.push(part);
        return { bytes: Buffer.concat(parts), problem: '' };
      }
      return refuse('it is not there');
    } finally {
      archive.destroy();
    }
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return refuse('it is not there');
    throw error;
  }
}

/** What an agent before this one was killed over. */
async function sweep(docker: Docker, hostId: string): Promise<void> {
  const filters = { label: [`${labels.host}=${hostId}`, `${labels.kind}=${READER}`] };
  const left = await ask(() => docker.listContainers({ all: true, filters }));
  for (const { Id } of left) if (!inUse.has(Id)) await remove(docker, Id);
}

/** With the volumes that the image asks for. One that can't go now goes with the next read. */
async function remove(docker: Docker, containerId: string): Promise<void> {
  await ask(() => docker.getContainer(containerId).remove({ force: true, v: true })).catch(() => undefined);
}
