import path from 'node:path';
import { Readable } from 'node:stream';
import { extract, pack } from 'tar-stream';
import { EngineError } from '@/agent/engines/engine-error';
import type { EngineVolumeFiles, RestoreSource, VolumeChange, VolumePlace } from '@/agent/engines/engine-volume-files';
import type { FileEntry } from '@/lib/protocol/file-streams';

const CHANGED = 1_700_000_000;

/** Volumes of files in memory, for what the console does with them. What an engine does is tested on one. */
export class MemoryVolumes implements EngineVolumeFiles {
  private readonly volumes = new Map<string, Map<string, Buffer>>();
  /** Names of containers that run with a volume. */
  users: string[] = [];
  /** Ends the next tar before its time. */
  breaksOff = false;

  of({ id }: { id: string }): Map<string, Buffer> {
    const files = this.volumes.get(id) ?? new Map([['/readme.txt', Buffer.from('hello\n')]]);
    this.volumes.set(id, files);
    return files;
  }

  find(volume: VolumePlace, where: string) {
    const file = this.of(volume).get(where);
    if (file) return Promise.resolve({ path: where, kind: 'file' as const, size: file.length, changed: CHANGED });
    const isFolder = where === '/' || [...this.of(volume).keys()].some((each) => each.startsWith(`${where}/`));
    return Promise.resolve(isFolder ? { path: where, kind: 'folder' as const, size: 0, changed: CHANGED } : null);
  }

  list(volume: VolumePlace, where: string) {
    const below = [...this.of(volume)].filter(([each]) => path.posix.dirname(each) === where);
    const entries = below.map(([each, { length: size }]): FileEntry => {
      return { name: path.posix.basename(each), kind: 'file', size, changed: CHANGED, isNameWhole: true };
    });
    return Promise.resolve({ entries, isWhole: true });
  }

  read(volume: VolumePlace, { path: where, kind }: { path: string; kind: 'file' | 'folder' }): Promise<Readable> {
    if (kind === 'file') return Promise.resolve(Readable.from([this.of(volume).get(where)!]));
    const archive = pack();
    for (const [name, bytes] of this.of(volume)) archive.entry({ name: `.${name}` }, bytes);
    archive.finalize();
    const { breaksOff } = this;
    this.breaksOff = false;
    async function* parts(): AsyncGenerator<Buffer> {
      const whole = await collect(archive as unknown as Readable);
      yield breaksOff ? whole.subarray(0, whole.length - 1024) : whole;
    }
    return Promise.resolve(Readable.from(parts(), { objectMode: false }));
  }

  async write(volume: VolumePlace, folder: string, { name, bytes }: { name: string; bytes: Readable }): Promise<void> {
    this.of(volume).set(path.posix.join(folder, name), await collect(bytes));
  }

  change(volume: VolumePlace, change: VolumeChange): Promise<void> {
    const files = this.of(volume);
    if (change.act === 'makeFolder') files.set(path.posix.join(change.path, change.name, '.keep'), Buffer.alloc(0));
    else {
      const bytes = files.get(change.path);
      if (!bytes) return Promise.reject(new EngineError('not-found', `There is no ${change.path}.`));
      files.delete(change.path);
      if (change.act === 'move') files.set(change.to, bytes);
    }
    return Promise.resolve();
  }

  measure(volumes: readonly VolumePlace[]) {
    return Promise.resolve(new Map(volumes.map(({ id }) => [id, { sizeBytes: 4096, isWhole: true }])));
  }

  freeBytes(): Promise<number> {
    return Promise.resolve(1024 ** 4);
  }

  async restore(volume: VolumePlace, { bytes }: RestoreSource): Promise<void> {
    const files = new Map<string, Buffer>();
    const parser = extract();
    bytes.on('error', (error) => parser.destroy(error));
    bytes.pipe(parser as unknown as NodeJS.WritableStream);
    for await (const entry of parser) {
      files.set(path.posix.join('/', entry.header.name), await collect(entry as unknown as Readable));
    }
    this.volumes.set(volume.id, files);
  }

  listRunningUsers(): Promise<string[]> {
    return Promise.resolve(this.users);
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function collect(bytes: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of bytes as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
