import { posix } from 'node:path';
import { type Readable } from 'node:stream';
import type Docker from 'dockerode';
import { z } from 'zod';
import { isInside } from '../../../../lib/protocol/folders';
import { fileEntrySchema, fileKindSchema } from '../../../../lib/protocol/file-streams';
import { labels } from '../../../../lib/protocol/specs/desired';
import { EngineError } from '../../engine-error';
import type { FolderEntries, FoundFile, NewFile } from '../../engine-inside';
import type {
  EngineVolumeFiles,
  RestoreSource,
  VolumeChange,
  VolumeMeasure,
  VolumePlace,
} from '../../engine-volume-files';
import { ask, openStream } from '../docker-client';
import { toEngineError } from '../docker-errors';
import { fileOfArchive, openArchive, putFile } from '../inside/archives';
import { nameResource } from '../resources';
import { HELPER_ROOT, type Helper } from './helper';
import { HELPER_KIND } from './helper-image';
import { Helpers } from './helpers';

const foundSchema = z.object({ path: z.string(), kind: fileKindSchema, size: z.number(), changed: z.number() });
const entriesSchema = z.object({ entries: z.array(fileEntrySchema), isWhole: z.boolean() });
const measureSchema = z.object({ sizeBytes: z.number(), isWhole: z.boolean() });
const nothing = z.null();

/** Volumes by way of a helper's container each, which is there while something is asked of it. */
export class DockerVolumeFiles implements EngineVolumeFiles {
  private readonly helpers: Helpers;

  constructor(
    private readonly docker: Docker,
    private readonly requireThere: (volume: VolumePlace) => Promise<void>,
  ) {
    this.helpers = new Helpers(docker);
  }

  find(volume: VolumePlace, path: string): Promise<FoundFile | null> {
    return this.with(volume, (helper) => helper.ask({ act: 'find', path }, foundSchema.nullable()));
  }

  list(volume: VolumePlace, path: string): Promise<FolderEntries> {
    return this.with(volume, (helper) => helper.ask({ act: 'list', path }, entriesSchema));
  }

  async read(
    volume: VolumePlace,
    { path, kind }: { path: string; kind: 'file' | 'folder' },
    signal: AbortSignal,
  ): Promise<Readable> {
    const { helper, done } = await this.hold(volume);
    try {
      // Of the volume itself what lies in it: the engine would name it after the place that the helper has it at.
      const asked = path === '/' ? `${HELPER_ROOT}/.` : posix.join(HELPER_ROOT, path);
      const archive = await openArchive(this.docker, { containerId: helper.containerId, path: asked, signal });
      archive.once('close', done);
      // Whoever reads the bytes hears of it.
      archive.on('error', () => undefined);
      if (kind === 'folder') return archive;
      return fileOfArchive(archive);
    } catch (error) {
      done();
      throw toEngineError(error);
    }
  }

  write(volume: VolumePlace, folder: string, file: NewFile, signal: AbortSignal): Promise<void> {
    const path = posix.join(HELPER_ROOT, folder);
    return this.with(volume, ({ containerId }) => putFile(this.docker, { containerId, path, signal }, file));
  }

  async change(volume: VolumePlace, change: VolumeChange): Promise<void> {
    await this.with(volume, (helper) => helper.ask({ ...change }, nothing));
  }

  /** The engine's own are counted by it; folders of the host by their helpers. */
  async measure(volumes: readonly VolumePlace[]): Promise<Map<string, VolumeMeasure>> {
    const measured = new Map<string, VolumeMeasure>();
    const own = volumes.filter(({ folder }) => folder === '');
    if (own.length > 0) {
      const sizes = await this.readSizes();
      for (const { hostId, id } of own) {
        const sizeBytes = sizes.get(nameResource('volume', { hostId, id }));
        if (sizeBytes !== undefined) measured.set(id, { sizeBytes, isWhole: true });
      }
    }
    for (const volume of volumes.filter(({ folder }) => folder !== '')) {
      const size = await this.with(volume, (helper) => helper.ask({ act: 'measure' }, measureSchema)).catch(() => null);
      if (size) measured.set(volume.id, size);
    }
    return measured;
  }

  async freeBytes(volume: VolumePlace): Promise<number> {
    const schema = z.object({ freeBytes: z.number() });
    return (await this.with(volume, (helper) => helper.ask({ act: 'room' }, schema))).freeBytes;
  }

  restore(volume: VolumePlace, { bytes, rest }: RestoreSource, signal: AbortSignal): Promise<void> {
    return this.with(volume, async (helper) => {
      const { path } = await helper.ask({ act: 'stage' }, z.object({ path: z.string() }));
      try {
        await this.unpack(helper, { path, bytes }, signal);
        // Asked at the last moment: until here nothing of the volume has changed.
        const users = await this.listRunningUsers(volume);
        if (users.length > 0) throw new EngineError('busy', `${users.join(', ')} began to run with the volume.`);
        const { root = null, links } = rest();
        await helper.ask({ act: 'commit', root, links }, nothing);
      } catch (error) {
        await helper.ask({ act: 'unstage' }, nothing).catch(() => undefined);
        throw toEngineError(error);
      }
    });
  }

  private async unpack(
    { containerId }: Helper,
    { path, bytes }: { path: string; bytes: Readable },
    signal: AbortSignal,
  ): Promise<void> {
    const over = new AbortController();
    const broken = new Promise<never>((_, reject) => {
      bytes.once('error', reject);
      signal.addEventListener('abort', () => reject(new EngineError('cancelled', 'Cancelled')), { once: true });
      signal.throwIfAborted();
    });
    const put = openStream(this.docker, {
      method: 'PUT',
      path: `/containers/${containerId}/archive?`,
      query: { path: posix.join(HELPER_ROOT, path), noOverwriteDirNonDir: 1 },
      body: bytes,
      headers: { 'content-type': 'application/x-tar' },
      signal: over.signal,
    });
    put.catch(() => undefined);
    try {
      const answer = await Promise.race([put, broken]);
      for await (const _ of answer);
    } catch (error) {
      over.abort();
      bytes.destroy();
      // The engine makes the place anew when that goes while it unpacks, and answers of the container only after that.
      await put.catch(() => undefined);
      await this.docker
        .getContainer(containerId)
        .inspect()
        .catch(() => undefined);
      throw error;
    }
  }

  async listRunningUsers({ hostId, id, folder }: VolumePlace): Promise<string[]> {
    const name = nameResource('volume', { hostId, id });
    const filters = { status: ['running', 'paused', 'restarting'] };
    const running = await ask(() => this.docker.listContainers({ filters }));
    const hasIt = ({ Name, Source }: { Name?: string; Source: string }): boolean =>
      folder === '' ? Name === name : isInside(folder, Source) || isInside(Source, folder);
    return running
      .filter(({ Labels, Mounts }) => Labels[labels.kind] !== HELPER_KIND && Mounts.some(hasIt))
      .map(({ Names, Id }) => Names[0]?.slice(1) ?? Id.slice(0, 12));
  }

  async release({ hostId, id }: Pick<VolumePlace, 'hostId' | 'id'>): Promise<void> {
    await this.helpers.release({ hostId, id });
  }

  close(): Promise<void> {
    return this.helpers.closeAll();
  }

  private async readSizes(): Promise<Map<string, number>> {
    const { modem } = this.docker;
    const found = await ask(
      () =>
        new Promise<{ Volumes?: { Name: string; UsageData?: { Size: number } | null }[] | null }>((resolve, reject) => {
          // Engines before API 1.42 count images and caches as well.
          const options = {
            path: '/system/df?type=volume',
            method: 'GET',
            statusCodes: { 200: true, 500: 'server error' },
          };
          modem.dial(options as never, (error, data) => (error ? reject(error as Error) : resolve(data as never)));
        }),
    );
    const sized = (found.Volumes ?? []).filter(({ UsageData }) => (UsageData?.Size ?? -1) >= 0);
    return new Map(sized.map(({ Name, UsageData }) => [Name, UsageData!.Size]));
  }

  private async with<T>(volume: VolumePlace, act: (helper: Helper) => Promise<T>): Promise<T> {
    const { helper, done } = await this.hold(volume);
    try {
      return await act(helper);
    } finally {
      done();
    }
  }

  /** The engine would make a volume of its own where there is none. */
  private async hold(volume: VolumePlace): Promise<{ helper: Helper; done: () => void }> {
    if (volume.folder === '') await this.requireThere(volume);
    return this.helpers.hold(volume);
  }
}
