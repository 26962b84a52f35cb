import type { DiskUse } from '../../lib/protocol/disk-streams';

/** What lies on an engine's disk, and getting rid of it. Every call may throw an EngineError. */
export interface EngineDisk {
  read(): Promise<Omit<DiskUse, 'prune'>>;
  /** Removes an image with all its names. Fine when it is gone; throws a conflict when a container uses it. */
  removeImage(imageId: string): Promise<void>;
  /** Removes what builds left behind and none needs now. Resolves with the bytes that are free again. */
  emptyBuildCache(): Promise<number>;
}
