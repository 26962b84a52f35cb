import type Docker from 'dockerode';
import { type DiskUse, PRUNE_MAX } from '../../../lib/protocol/disk-streams';
import type { EngineDisk } from '../engine-disk';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';

/** `GET /system/df`, as far as it is read. Engines differ in what they leave out. */
interface SystemDf {
  LayersSize?: number | null;
  Images?: { Id: string; RepoTags?: string[] | null; Size: number; Created: number; Containers: number }[] | null;
  Containers?: { SizeRw?: number }[] | null;
  Volumes?: { UsageData?: { Size: number } | null }[] | null;
  BuildCache?: { Size: number; InUse: boolean; Shared: boolean }[] | null;
}

const NO_NAME = '<none>:<none>';
const TAGS_TOLD = 10;

export class DockerDisk implements EngineDisk {
  constructor(private readonly docker: Docker) {}

  async read(): Promise<Omit<DiskUse, 'prune'>> {
    const found = (await ask(() => this.docker.df())) as SystemDf;
    const [images, containers, volumes] = [found.Images ?? [], found.Containers ?? [], found.Volumes ?? []];
    // What the cache shares with images does not get free when it is emptied.
    const cache = (found.BuildCache ?? []).filter(({ Shared }) => !Shared);
    const unused = images.filter(({ Containers }) => Containers === 0).toSorted((one, other) => other.Size - one.Size);
    return {
      layersBytes: found.LayersSize ?? 0,
      images: images.length,
      containers: { count: containers.length, sizeBytes: sum(containers, ({ SizeRw = 0 }) => SizeRw) },
      volumes: { count: volumes.length, sizeBytes: sum(volumes, ({ UsageData }) => Math.max(UsageData?.Size ?? 0, 0)) },
      buildCache: {
        sizeBytes: sum(cache, ({ Size }) => Size),
        unusedBytes: sum(cache, ({ Size, InUse }) => (InUse ? 0 : Size)),
      },
      unused: unused.slice(0, PRUNE_MAX).map(({ Id, RepoTags, Size, Created }) => ({
        imageId: Id,
        tags: (RepoTags ?? []).filter((tag) => tag !== NO_NAME).slice(0, TAGS_TOLD),
        sizeBytes: Size,
        createdAt: new Date(Created * 1000).toISOString(),
      })),
    };
  }

  async removeImage(imageId: string): Promise<void> {
    try {
      const { RepoTags } = await ask(() => this.docker.getImage(imageId).inspect());
      const containers = await ask(() =>
        this.docker.listContainers({ all: true, limit: 1, filters: { ancestor: [imageId] } }),
      );
      // Without its names it would stay, for a container, as one that nobody finds again.
      if (containers.length > 0) throw new EngineError('conflict', 'A container needs it by now.');
      for (const tag of (RepoTags ?? []).slice(1)) await ask(() => this.docker.getImage(tag).remove());
      await ask(() => this.docker.getImage(RepoTags?.[0] ?? imageId).remove());
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'not-found') return;
      throw error;
    }
  }

  async emptyBuildCache(): Promise<number> {
    const answer = await ask(
      () =>
        new Promise<{ SpaceReclaimed?: number }>((resolve, reject) => {
          const options = { _query: { all: true }, _body: {} };
          const statusCodes = { 200: true, 500: 'server error' };
          this.docker.modem.dial({ path: '/build/prune?', method: 'POST', options, statusCodes }, (error, data) => {
            if (error) reject(error as Error);
            else resolve((data ?? {}) as { SpaceReclaimed?: number });
          });
        }),
    );
    return answer.SpaceReclaimed ?? 0;
  }
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((all, item) => all + of(item), 0);
}
