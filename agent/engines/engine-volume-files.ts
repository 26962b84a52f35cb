import type { Readable } from 'node:stream';
import type { FolderEntries, FoundFile, NewFile } from './engine-inside';

/** A volume of this host. */
export interface VolumePlace {
  hostId: string;
  /** Of the record. */
  id: string;
  /** The folder of the host that it is, with no link in it; empty for a volume of the engine's own. */
  folder: string;
}

export type VolumeChange =
  | { act: 'makeFolder'; path: string; name: string }
  | { act: 'move'; path: string; to: string }
  | { act: 'remove'; path: string };

export interface VolumeMeasure {
  sizeBytes: number;
  /** False where there is more than could be counted in time. */
  isWhole: boolean;
}

/** A tar on its way into a volume. */
export interface RestoreSource {
  bytes: Readable;
  /** What is not in those bytes; asked for once all of them were read. */
  rest(): { root?: VolumeRoot | undefined; links: VolumeLink[] };
}

/** A link, its name and target with one character a byte. */
export interface VolumeLink {
  name: string;
  target: string;
  uid: number;
  gid: number;
  /** Seconds since the Unix epoch. */
  mtime: number;
}

/** Of the volume itself. */
export interface VolumeRoot {
  uid: number;
  gid: number;
  mode: number;
  /** Seconds since the Unix epoch. */
  mtime: number;
}

/**
 * What is in volumes, whether or not a container has them. Paths are absolute within the volume, and no link leads out of
 * it. Every call may throw an EngineError.
 */
export interface EngineVolumeFiles {
  find(volume: VolumePlace, path: string): Promise<FoundFile | null>;
  list(volume: VolumePlace, path: string): Promise<FolderEntries>;
  /** The bytes of a file, or a tar of a folder. Breaks off with an error where it is not whole. */
  read(volume: VolumePlace, asked: { path: string; kind: 'file' | 'folder' }, signal: AbortSignal): Promise<Readable>;
  /** Puts a file into a folder; it belongs to whom the folder belongs to. */
  write(volume: VolumePlace, folder: string, file: NewFile, signal: AbortSignal): Promise<void>;
  change(volume: VolumePlace, change: VolumeChange): Promise<void>;
  /** The bytes on the disk of each; one that can't be told is left out. */
  measure(volumes: readonly VolumePlace[]): Promise<Map<string, VolumeMeasure>>;
  freeBytes(volume: VolumePlace): Promise<number>;
  /** What is in the volume gives way to what the tar holds, once that is there as a whole; until then it stays as it is. */
  restore(volume: VolumePlace, source: RestoreSource, signal: AbortSignal): Promise<void>;
  /** Names of containers that run and have it. */
  listRunningUsers(volume: VolumePlace): Promise<string[]>;
  /** Lets go of the volume, so that it can be removed. */
  release(volume: Pick<VolumePlace, 'hostId' | 'id'>): Promise<void>;
  /** Lets go of all. */
  close(): Promise<void>;
}
