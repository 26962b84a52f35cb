import { statfs } from 'node:fs/promises';

export interface Room {
  freeBytes: number;
  /** No more files can be made, however many bytes are free. */
  isOutOfFiles: boolean;
  /** Both in words. */
  text: string;
}

const GIGABYTE = 1e9;

/** What is free on the disk of a folder; undefined where the folder can't be seen. */
export async function readRoom(folder: string): Promise<Room | undefined> {
  const stat = await statfs(folder).catch(() => undefined);
  if (!stat) return undefined;
  const { bavail, blocks, bsize, files, ffree } = stat;
  const freeBytes = bavail * bsize;
  // Some file systems don't count their files, and say 0 of 0.
  const isOutOfFiles = files > 0 && ffree === 0;
  const [free, all] = [freeBytes, blocks * bsize].map((bytes) => (bytes / GIGABYTE).toFixed(1));
  return {
    freeBytes,
    isOutOfFiles,
    text: `${free} of ${all} GB free${isOutOfFiles ? ', but room for no more files' : ''}`,
  };
}
