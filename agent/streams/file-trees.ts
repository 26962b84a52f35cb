import type { Readable } from 'node:stream';
import type { Engine } from '../engines/engine';
import type { FolderEntries, FoundFile, NewFile } from '../engines/engine-inside';
import type { VolumePlace } from '../engines/engine-volume-files';
import { type AnswerSource, RefusedQuestion, requirePlace } from './answers';
import { passTar } from './tar-passage';

/** Files that can be looked through, of a container or of a volume. Every call may throw a RefusedQuestion or an EngineError. */
export interface FileTree {
  /** As in “There is no /a in the volume.” */
  readonly what: 'workspace' | 'volume';
  find(path: string): Promise<FoundFile | null>;
  list(path: string, signal: AbortSignal): Promise<FolderEntries>;
  read(path: string, kind: 'file' | 'folder', signal: AbortSignal): Promise<TreeBytes>;
  write(folder: string, file: NewFile, signal: AbortSignal): Promise<void>;
}

export interface TreeBytes {
  bytes: Readable;
  /** What is to be said at the end of a transfer that was whole; empty for nothing. */
  lastWords(): string;
}

/** The files of a workspace's container. Its state is asked anew for each call, which may take long to come. */
export function openWorkspaceTree(source: AnswerSource, workspaceId: string): FileTree {
  const { inside } = source.engine;
  const place = (path: string) => requirePlace(source, workspaceId, path);
  return {
    what: 'workspace',
    find: async (path) => inside.find(await place(path)),
    list: async (path, signal) => inside.list(await place(path), signal),
    read: async (path, kind, signal) => {
      const bytes = await inside.read(await place(path), kind, signal);
      return { bytes, lastWords: () => '' };
    },
    write: async (folder, file, signal) => inside.write(await place(folder), file, signal),
  };
}

/** Finds a volume of this host. Throws an EngineError where it is not there. */
export type FindVolume = (volumeId: string) => Promise<VolumePlace>;

export function openVolumeTree(engine: Engine, findVolume: FindVolume, volumeId: string): FileTree {
  const files = requireVolumeFiles(engine);
  const place = () => findVolume(volumeId);
  return {
    what: 'volume',
    find: async (path) => files.find(await place(), path),
    list: async (path) => files.list(await place(), path),
    read: async (path, kind, signal) => {
      const bytes = await files.read(await place(), { path, kind }, signal);
      if (kind === 'file') return { bytes, lastWords: () => '' };
      // The engine ends an archive that it could not read to the end as it ends a good one.
      const { passed, check } = passTar(bytes, { leaveOutDevices: true });
      const lastWords = () => (check.leftOut === 0 ? '' : `${check.leftOut}`);
      return { bytes: passed, lastWords };
    },
    write: async (folder, file, signal) => files.write(await place(), folder, file, signal),
  };
}

export function requireVolumeFiles({ volumeFiles }: Engine) {
  if (volumeFiles) return volumeFiles;
  throw new RefusedQuestion('invalid', 'The engine of this host does not show what is in its volumes.');
}
