import 'server-only';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { nowMs } from '@/lib/clock';

/** Of the file that keeps what indexes said of single packages. */
export const PROJECTS_ID = 'projects';

/** A file that is being written; one that its process left behind is removed later. */
const UNFINISHED = '.part';
const LEFT_BEHIND_MS = 60 * 60 * 1000;

/** The folder that looked-up packages are kept in: what lies in it is ours alone, and can be had again. */
export class CacheFolder {
  private readonly folder: string;

  constructor(directory: string) {
    this.folder = path.join(directory, 'packages');
  }

  /** Where the thing of that id lies, or would. */
  fileOf(id: string): string {
    return path.join(this.folder, `${createHash('sha256').update(id).digest('hex').slice(0, 32)}.db`);
  }

  /** Makes the folder where it is missing. Step by step: made recursively, one in a place like /proc never ends. */
  prepare(): void {
    for (const folder of [path.dirname(this.folder), this.folder])
      if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 });
  }

  /** Where a file is written before it takes its place. */
  unfinished(file: string): string {
    return `${file}.${process.pid}-${nowMs()}${UNFINISHED}`;
  }

  async sizeBytes(): Promise<number> {
    return (await this.list()).reduce((sum, { size }) => sum + size, 0);
  }

  /** Removes what was not looked at again for longest, until the rest may stay. What is `kept` stays in any case. */
  async trim(maxBytes: number, kept: readonly string[], remove: (file: string) => Promise<void>): Promise<void> {
    const files = (await this.list()).sort((one, other) => one.mtimeMs - other.mtimeMs);
    let size = files.reduce((sum, file) => sum + file.size, 0);
    for (const file of files) {
      const isLeft = file.path.endsWith(UNFINISHED) && Date.now() - file.mtimeMs > LEFT_BEHIND_MS;
      const mayGo = !kept.includes(file.path) && file.path.endsWith('.db');
      if (!isLeft && !(mayGo && size > maxBytes)) continue;
      await remove(file.path);
      size -= file.size;
    }
  }

  /** Removes everything of ours. */
  async empty(): Promise<void> {
    await Promise.all((await this.list()).map((file) => fs.promises.rm(file.path, { force: true })));
  }

  private async list(): Promise<{ path: string; size: number; mtimeMs: number }[]> {
    const names = await fs.promises.readdir(this.folder).catch(() => []);
    const files = await Promise.all(
      names
        .filter((name) => /^[0-9a-f]{32}\.db/.test(name))
        .map(async (name) => {
          const file = path.join(this.folder, name);
          const stat = await fs.promises.stat(file).catch(() => undefined);
          return stat?.isFile() ? [{ path: file, size: stat.size, mtimeMs: stat.mtimeMs }] : [];
        }),
    );
    return files.flat();
  }
}
