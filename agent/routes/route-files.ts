import { randomUUID } from 'node:crypto';
import { chmod, open, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { EngineError } from '../engines/engine-error';
import type { TraefikConfig } from './traefik-config';

const FILE = /^berth-([A-Za-z0-9_-]{1,50})\.yml(\.[0-9a-f-]{36}\.tmp)?$/;
const HEAD_BYTES = 200;

/** The folder that a host's Traefik takes files from, of which this host's agent writes `berth-<workspace>.yml` and no other. */
export class RouteFiles {
  constructor(private readonly hostId: string) {}

  /** The same bytes for the same configuration. */
  write(config: TraefikConfig, workspaceId: string): string {
    return `${this.headOf(workspaceId)}\n${stringify(config, { lineWidth: 0, aliasDuplicateObjects: false })}`;
  }

  /** Has the file hold the text; it appears whole. Throws with words for people. */
  async put(folder: string, workspaceId: string, text: string): Promise<void> {
    const file = this.pathOf(folder, workspaceId);
    try {
      if ((await this.read(file)) === text) return;
      const fresh = `${file}.${randomUUID()}.tmp`;
      try {
        await writeFile(fresh, text, { mode: 0o644, flag: 'wx', flush: true });
        // Whatever the umask says, Traefik may run as another user.
        await chmod(fresh, 0o644);
        await rename(fresh, file);
      } catch (error) {
        await unlink(fresh).catch(() => undefined);
        throw error;
      }
    } catch (error) {
      throw explain(error, folder);
    }
  }

  /** Fine when it is gone. A file that another host's agent wrote stays. */
  async remove(folder: string, workspaceId: string): Promise<void> {
    const file = this.pathOf(folder, workspaceId);
    try {
      await this.removeOwn(file, workspaceId);
    } catch (error) {
      throw explain(error, folder);
    }
  }

  /** Removes this host's own files of workspaces that are not known any more, and what a stopped agent left half-written. */
  async sweep(folder: string, known: ReadonlySet<string>): Promise<void> {
    try {
      for (const name of await readdir(folder)) {
        const [, id = '', temporary] = FILE.exec(name) ?? [];
        if (id === '' || (known.has(id) && !temporary)) continue;
        await this.removeOwn(path.join(folder, name), id);
      }
    } catch (error) {
      throw explain(error, folder);
    }
  }

  private pathOf(folder: string, workspaceId: string): string {
    if (path.isAbsolute(folder)) return path.join(folder, `berth-${workspaceId}.yml`);
    throw new EngineError('invalid', `The folder for Traefik's files must be an absolute path: “${folder}”`);
  }

  private headOf(workspaceId: string): string {
    return `# Berth, host ${this.hostId}, workspace ${workspaceId}. Its agent writes this file: changes are lost.`;
  }

  private async read(file: string): Promise<string> {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return '';
      throw error;
    }
  }

  private async removeOwn(file: string, workspaceId: string): Promise<void> {
    if (!(await readHead(file)).startsWith(this.headOf(workspaceId))) return;
    await unlink(file);
  }
}

/** Empty where there is no such file. */
async function readHead(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.subarray(0, bytesRead).toString('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code ?? '');
}

const reasons: Record<string, string> = {
  EACCES: 'the agent may not write there',
  EPERM: 'the agent may not write there',
  EROFS: 'it can only be read',
  ENOENT: 'there is no such folder where the agent runs',
  ENOTDIR: 'it is not a folder',
  ENOSPC: 'the disk is full',
};

function explain(error: unknown, folder: string): EngineError {
  if (error instanceof EngineError) return error;
  const reason = reasons[codeOf(error)] ?? (error instanceof Error ? error.message : String(error));
  return new EngineError('failed', `Traefik's files can't be written in ${folder}: ${reason}`, { cause: error });
}
