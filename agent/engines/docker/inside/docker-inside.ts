import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { EngineError } from '../../engine-error';
import type { Listener } from '../../../../lib/protocol/measure-streams';
import type { ContainerMeasure, EngineInside, FolderEntries, FoundFile, NewFile, Place } from '../../engine-inside';
import { toEngineError } from '../docker-errors';
import type { ArchiveHolds } from './archive-holds';
import { fileOfArchive, listArchive, openArchive, putFile } from './archives';
import { listInside } from './list-inside';
import { listListeners } from './listeners';
import { measure } from './measure';
import { findPath } from './path-stat';
import { MARK, runInside } from './run-inside';

/** The kernel's own, in a container that runs: what is read there may never end, and is no file of the container. */
const KERNEL = /^\/(proc|sys|dev)(\/|$)/;

const FILE_SCRIPT = [`command -v cat >/dev/null 2>&1 || exit 127`, MARK, `exec cat "$1"`].join('\n');
const FOLDER_SCRIPT = [
  `command -v tar >/dev/null 2>&1 || exit 127`,
  `cd "$1" || exit 126`,
  MARK,
  `exec tar -cf - "./$2" 2>/dev/null`,
].join('\n');

/**
 * Looks into containers: of one that runs by its own programs, which leave the engine free; else, and where it has none
 * that do, by the engine's archive, for as long as nothing else is asked of the container.
 */
export class DockerInside implements EngineInside {
  constructor(
    private readonly docker: Docker,
    private readonly holds: ArchiveHolds,
  ) {}

  async find({ containerId, path }: Place): Promise<FoundFile | null> {
    await this.holds.untilFree(containerId);
    return findPath(this.docker, containerId, path);
  }

  async list(place: Place, signal: AbortSignal): Promise<FolderEntries> {
    const own = place.isRunning ? await this.tryOwn(() => listInside(this.docker, place, signal)) : undefined;
    if (own) return own;
    const { containerId, path } = place;
    return this.holding(containerId, signal, (held) => listArchive(this.docker, { containerId, path, signal: held }));
  }

  async read(place: Place, kind: 'file' | 'folder', signal: AbortSignal): Promise<Readable> {
    const own = await this.tryOwn(() => this.readOwn(place, kind, signal));
    if (own) return own;
    const { containerId, path } = place;
    await this.holds.untilFree(containerId);
    const hold = this.holds.hold(containerId);
    const held = AbortSignal.any([signal, hold.signal]);
    try {
      const archive = await openArchive(this.docker, { containerId, path, signal: held });
      archive.once('close', hold.release);
      // Whoever reads the bytes hears of it.
      archive.on('error', () => undefined);
      const bytes = kind === 'file' ? fileOfArchive(archive) : archive;
      const giveUp = (): void => {
        archive.destroy();
        bytes.destroy(toEngineError(held.reason));
      };
      if (held.aborted) giveUp();
      else held.addEventListener('abort', giveUp, { once: true });
      return bytes;
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  async write({ containerId, path }: Place, file: NewFile, signal: AbortSignal): Promise<void> {
    await this.holding(containerId, signal, (held) => putFile(this.docker, { containerId, path, signal: held }, file));
  }

  measure(containerId: string): Promise<ContainerMeasure | null> {
    return this.holds.isHeld(containerId) ? Promise.resolve(null) : measure(this.docker, containerId);
  }

  async listListeners(containerId: string): Promise<Listener[] | null> {
    await this.holds.untilFree(containerId);
    return listListeners(this.docker, containerId);
  }

  private readOwn({ containerId, isRunning, path }: Place, kind: 'file' | 'folder', signal: AbortSignal) {
    if (!isRunning || path === '/' || KERNEL.test(path)) return Promise.resolve(undefined);
    const slash = path.lastIndexOf('/');
    const args = kind === 'file' ? [path] : [path.slice(0, slash) || '/', path.slice(slash + 1)];
    const script = kind === 'file' ? FILE_SCRIPT : FOLDER_SCRIPT;
    return runInside(this.docker, { containerId, script, args, signal });
  }

  /** Undefined where the container can't: it has stopped meanwhile, or has no shell. */
  private async tryOwn<T>(act: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof EngineError && ['conflict', 'invalid', 'failed'].includes(error.kind)) return undefined;
      throw error;
    }
  }

  private async holding<T>(containerId: string, signal: AbortSignal, act: (held: AbortSignal) => Promise<T>) {
    await this.holds.untilFree(containerId);
    const hold = this.holds.hold(containerId);
    try {
      return await act(AbortSignal.any([signal, hold.signal]));
    } catch (error) {
      throw toEngineError(hold.signal.aborted ? hold.signal.reason : error);
    } finally {
      hold.release();
    }
  }
}
