import type { IncomingMessage } from 'node:http';
import type Docker from 'dockerode';
import { z } from 'zod';
import type { FileKind } from '../../../../lib/protocol/file-streams';
import { EngineError } from '../../engine-error';
import type { FoundFile } from '../../engine-inside';
import { ask } from '../docker-client';

const statSchema = z.object({
  size: z.number(),
  /** Go's, whose type bits are its own. */
  mode: z.number(),
  mtime: z.string(),
  linkTarget: z.string().default(''),
});
type PathStat = z.infer<typeof statSchema>;

const FOLDER = 2 ** 31;
const LINK = 2 ** 27;
const DEVICE = 2 ** 26;
const OTHERS = [2 ** 25, 2 ** 24, 2 ** 19];

const has = (mode: number, bit: number): boolean => Math.floor(mode / bit) % 2 === 1;

export function kindOfGoMode(mode: number): FileKind {
  if (has(mode, FOLDER)) return 'folder';
  if (has(mode, LINK)) return 'link';
  if (has(mode, DEVICE)) return 'device';
  return OTHERS.some((bit) => has(mode, bit)) ? 'other' : 'file';
}

/** What a path of a container leads to; null where there is nothing. */
export async function findPath(docker: Docker, containerId: string, path: string): Promise<FoundFile | null> {
  const own = await readStat(docker, containerId, path);
  if (!own) return null;
  const isLink = kindOfGoMode(own.mode) === 'link' && own.linkTarget !== '';
  const target = isLink ? await readStat(docker, containerId, own.linkTarget) : null;
  const { size, mode, mtime } = target ?? own;
  const changed = Math.floor(Date.parse(mtime) / 1000) || 0;
  return { path: target ? own.linkTarget : path, kind: kindOfGoMode(mode), size, changed };
}

async function readStat(docker: Docker, containerId: string, path: string): Promise<PathStat | null> {
  try {
    const answer = (await ask(() => docker.getContainer(containerId).infoArchive({ path }))) as IncomingMessage;
    answer.resume();
    const head = String(answer.headers['x-docker-container-path-stat'] ?? '');
    return statSchema.parse(JSON.parse(Buffer.from(head, 'base64').toString('utf8')));
  } catch (error) {
    if (error instanceof EngineError && error.kind === 'not-found') return null;
    // The engine says nothing more of a path that it can't look at: its answer has no body.
    if (error instanceof EngineError && error.kind !== 'unreachable') {
      throw new EngineError('failed', 'The engine can’t look at this path.', { cause: error });
    }
    throw error;
  }
}
