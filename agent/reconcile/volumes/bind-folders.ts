import { lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../../lib/protocol/folders';
import { EngineError } from '../../engines/engine-error';

export interface WantedFolder {
  /** The volume's. */
  id: string;
  /** As it was asked for. */
  path: string;
  /** Whose folder under the root it has to lie in; empty for anywhere under the root. */
  ownerId: string;
}

const NO_ROOTS = 'This host takes no folders of its own: its agent has no BERTH_BIND_ROOTS.';

/**
 * The folders of the host that containers may be given: under the bind roots, whatever links are on the way. What the agent
 * sees is what counts: in a container it needs each root at the path that it has on the host.
 */
export class BindFolders {
  /** Where each volume's folder really is. */
  private readonly places = new Map<string, string>();

  constructor(private readonly roots: readonly string[]) {}

  forget(id: string): void {
    this.places.delete(id);
  }

  /** Where the folder really is; undefined when there is none yet. Throws an EngineError when it may not be used. */
  async find(wanted: WantedFolder): Promise<string | undefined> {
    const { place, missing } = await this.walk(wanted);
    this.refuseNested(wanted, [place, ...missing].join('/'));
    if (missing.length > 0) return undefined;
    this.places.set(wanted.id, place);
    return place;
  }

  /** The same of a folder that has to be there. */
  async require(wanted: WantedFolder): Promise<string> {
    const place = await this.find(wanted);
    if (place === undefined) throw new EngineError('busy', `The folder ${wanted.path} is gone`);
    return place;
  }

  async make(wanted: WantedFolder): Promise<void> {
    const { place, missing } = await this.walk(wanted);
    let made = place;
    for (const step of missing) {
      made = path.join(made, step);
      await mkdir(made, { mode: 0o755 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST')
          throw new EngineError('failed', `The folder ${made} can't be made: ${error.message}`);
      });
    }
    await this.require(wanted);
  }

  /** How far the path leads, links followed, and what of it is missing. */
  private async walk(wanted: WantedFolder): Promise<{ place: string; missing: string[] }> {
    const { root, base } = await this.findBase(wanted);
    let place = root.place;
    const steps = path.relative(root.name, plain(wanted.path)).split('/').filter(Boolean);
    while (steps.length > 0) {
      const next = path.join(place, steps[0]!);
      const kind = await kindOf(next);
      if (kind === 'missing') break;
      place = kind === 'link' ? await followed(next) : next;
      if (kind === 'other' || (kind === 'link' && (await kindOf(place)) !== 'folder')) {
        throw new EngineError('invalid', `${next} is no folder.`);
      }
      // What is on the way to the owner's own folder has no owner yet.
      if (!isInside(root.place, place))
        throw new EngineError('invalid', `${wanted.path} leads out of ${root.name}: ${place}.`);
      steps.shift();
    }
    if (!isInside(base, [place, ...steps].join('/'))) {
      throw new EngineError('invalid', `${wanted.path} leads out of ${base}: ${place}.`);
    }
    return { place, missing: steps };
  }

  /** The root that a path names, and under which folder of it the path has to end. */
  private async findBase({ path: asked, ownerId }: WantedFolder) {
    if (this.roots.length === 0) throw new EngineError('invalid', NO_ROOTS);
    const wanted = plain(asked);
    const name = isPlain(asked) ? this.roots.find((each) => isInside(each, wanted)) : undefined;
    if (name === undefined) {
      throw new EngineError(
        'invalid',
        `${asked} is in none of the folders that this host allows: ${this.roots.join(', ')}.`,
      );
    }
    const own = path.join(name, ownerId);
    if (!isInside(own, wanted))
      throw new EngineError('invalid', `${asked} has to be in the folder of its owner: ${own}.`);
    const place = await realpath(name).catch(() => {
      const words = `The agent does not see ${name}. It has to be there, also inside the agent's own container.`;
      throw new EngineError('failed', words);
    });
    return { root: { name, place }, base: path.join(place, ownerId) };
  }

  /** Whoever writes to the outer folder could put a link to anywhere in the inner one's place. */
  private refuseNested({ id, path: asked }: WantedFolder, place: string): void {
    for (const [other, taken] of this.places) {
      if (other === id || taken === place) continue;
      if (isInside(taken, place)) throw new EngineError('invalid', `${asked} lies in the folder of another volume.`);
      if (isInside(place, taken)) throw new EngineError('invalid', `${asked} holds the folder of another volume.`);
    }
  }
}

function plain(asked: string): string {
  return path.resolve('/', asked);
}

/** Whether a path says what it means: no `..`, no NUL, absolute. */
function isPlain(asked: string): boolean {
  return asked.startsWith('/') && !asked.includes('\u0000') && plain(asked) === asked.replace(/(?<=.)\/$/, '');
}

async function kindOf(place: string): Promise<'folder' | 'link' | 'missing' | 'other'> {
  try {
    const found = await lstat(place);
    if (found.isSymbolicLink()) return 'link';
    return found.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'missing';
    throw new EngineError('failed', `The agent can't look at ${place}: ${message}`);
  }
}

async function followed(link: string): Promise<string> {
  try {
    return await realpath(link);
  } catch {
    throw new EngineError('invalid', `${link} is a link that leads nowhere.`);
  }
}
