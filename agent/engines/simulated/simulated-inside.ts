import path from 'node:path';
import { Readable } from 'node:stream';
import { pack } from 'tar-stream';
import type { FileEntry } from '../../../lib/protocol/file-streams';
import type { Listener } from '../../../lib/protocol/measure-streams';
import { EngineError } from '../engine-error';
import type { ContainerMeasure, EngineInside, FolderEntries, FoundFile, NewFile, Place } from '../engine-inside';

const README = 'Simulated engine: nothing is really run, and these files are in memory.\n';
const BEGUN = Math.floor(Date.now() / 1000);
/** Of one container. */
const KEPT_BYTES = 64 * 1024 * 1024;

interface Kept {
  bytes: Buffer;
  changed: number;
}

/** Files of simulated containers: a few that are always there, and those that were uploaded. */
export class SimulatedInside implements EngineInside {
  private readonly byContainer = new Map<string, Map<string, Kept>>();

  find({ containerId, path: asked }: Place): Promise<FoundFile | null> {
    const files = this.filesOf(containerId);
    const file = files.get(asked);
    if (file) return Promise.resolve({ path: asked, kind: 'file', size: file.bytes.length, changed: file.changed });
    const isFolder = asked === '/' || [...files.keys()].some((each) => each.startsWith(`${asked}/`));
    return Promise.resolve(isFolder ? { path: asked, kind: 'folder', size: 0, changed: BEGUN } : null);
  }

  list({ containerId, path: folder }: Place): Promise<FolderEntries> {
    const entries = new Map<string, FileEntry>();
    const base = folder === '/' ? '/' : `${folder}/`;
    for (const [where, { bytes, changed }] of this.filesOf(containerId)) {
      if (!where.startsWith(base)) continue;
      const [name = '', ...below] = where.slice(base.length).split('/');
      const isFile = below.length === 0;
      const size = isFile ? bytes.length : 0;
      entries.set(name, { name, kind: isFile ? 'file' : 'folder', size, changed, isNameWhole: true });
    }
    return Promise.resolve({ entries: [...entries.values()], isWhole: true });
  }

  read({ containerId, path: asked }: Place, kind: 'file' | 'folder'): Promise<Readable> {
    const files = this.filesOf(containerId);
    if (kind === 'file') return Promise.resolve(Readable.from([files.get(asked)?.bytes ?? Buffer.alloc(0)]));
    const archive = pack();
    const parent = path.posix.dirname(asked);
    for (const [where, { bytes, changed }] of files) {
      if (!where.startsWith(asked)) continue;
      archive.entry({ name: path.posix.relative(parent, where), mtime: new Date(changed * 1000) }, bytes);
    }
    archive.finalize();
    return Promise.resolve(Readable.from(archive as AsyncIterable<Buffer>, { objectMode: false }));
  }

  async write({ containerId, path: folder }: Place, { name, bytes }: NewFile): Promise<void> {
    const files = this.filesOf(containerId);
    const chunks: Buffer[] = [];
    let size = [...files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > KEPT_BYTES) throw new EngineError('invalid', 'The simulated engine keeps 64 MB of files.');
      chunks.push(chunk);
    }
    const changed = Math.floor(Date.now() / 1000);
    files.set(path.posix.join(folder, name), { bytes: Buffer.concat(chunks), changed });
  }

  /** A load that rises and falls by the minute, so that there is something to see. */
  measure(): Promise<ContainerMeasure> {
    const atMs = Date.now();
    const turn = (atMs / 60_000) * 2 * Math.PI;
    const seconds = atMs / 1000 - BEGUN;
    const cpuNanos = (seconds * 0.5 - (Math.cos(turn) * 0.4 * 60) / (2 * Math.PI) + 10) * 1e9;
    const memory = Math.round((200 + 50 * Math.sin(turn)) * 1024 ** 2);
    return Promise.resolve({ atMs, cpuNanos, memory, memoryLimit: 0, received: seconds * 2000, sent: seconds * 500 });
  }

  listListeners(): Promise<Listener[]> {
    return Promise.resolve([{ port: 8080, isLocal: false }]);
  }

  private filesOf(containerId: string): Map<string, Kept> {
    const held = this.byContainer.get(containerId) ?? new Map<string, Kept>();
    if (held.size === 0) {
      held.set('/etc/hostname', { bytes: Buffer.from(`${containerId.slice(0, 12)}\n`), changed: BEGUN });
      held.set('/home/readme.txt', { bytes: Buffer.from(README), changed: BEGUN });
      this.byContainer.set(containerId, held);
    }
    return held;
  }
}
