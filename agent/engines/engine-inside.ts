import type { Readable } from 'node:stream';
import type { FileEntry, FileKind } from '../../lib/protocol/file-streams';
import type { Listener } from '../../lib/protocol/measure-streams';

/** A path in a container. What does not run can be looked at and written to as well. */
export interface Place {
  containerId: string;
  isRunning: boolean;
  /** Absolute, without `..`. */
  path: string;
}

/** What a path leads to, its links followed. A link that leads nowhere is itself. */
export interface FoundFile {
  /** Without links. */
  path: string;
  kind: FileKind;
  size: number;
  /** Seconds since the Unix epoch. */
  changed: number;
}

export interface FolderEntries {
  entries: FileEntry[];
  isWhole: boolean;
}

export interface NewFile {
  name: string;
  size: number;
  bytes: Readable;
}

/** What a container has used since it began, and holds now. */
export interface ContainerMeasure {
  atMs: number;
  cpuNanos: number;
  /** Bytes, without what the kernel would drop at once. */
  memory: number;
  /** 0 for none. */
  memoryLimit: number;
  received: number;
  sent: number;
}

/** What is inside of containers. Every call may throw an EngineError. */
export interface EngineInside {
  /** Null where there is nothing. */
  find(place: Place): Promise<FoundFile | null>;
  /** What lies in a folder, as far as that can be read within bounds. */
  list(place: Place, signal: AbortSignal): Promise<FolderEntries>;
  /** The bytes of a file, or a tar of a folder. Breaks off with an error where it is not whole. */
  read(place: Place, kind: 'file' | 'folder', signal: AbortSignal): Promise<Readable>;
  /** Puts a file into a folder; it belongs to whom the folder belongs to. */
  write(folder: Place, file: NewFile, signal: AbortSignal): Promise<void>;
  /** Null while it can't be told, as of a container that is down. */
  measure(containerId: string): Promise<ContainerMeasure | null>;
  /** TCP ports that are listened on in a container that runs; null where that can't be told. */
  listListeners(containerId: string): Promise<Listener[] | null>;
}

/** Of one folder: beyond these it is said that there is more. */
export const LIST_LIMITS = { entries: 5000, bytes: 256 * 1024 * 1024, ms: 8000 } as const;
