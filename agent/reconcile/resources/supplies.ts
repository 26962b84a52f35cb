import type { ObservedResource } from '../../../lib/protocol/calls';
import type { MountSpec, WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { EngineMount } from '../../engines/engine';
import { EngineError } from '../../engines/engine-error';

type Kind = ObservedResource['kind'];
type State = Pick<ObservedResource, 'status' | 'message'> & {
  /** Whether it stays so until somebody changes something. */
  isFinal: boolean;
};

/** What the volumes and networks of this host are at the moment, for the containers that are to have them. */
export class Supplies {
  private readonly states = new Map<string, State>();
  /** Finds the folder of a bind mount anew. */
  private readonly folders = new Map<string, () => Promise<string>>();

  note(kind: Kind, id: string, state: State): void {
    this.states.set(keyOf(kind, id), state);
  }

  drop(kind: Kind, id: string): void {
    this.states.delete(keyOf(kind, id));
    this.folders.delete(id);
  }

  ids(kind: Kind): string[] {
    const start = keyOf(kind, '');
    return [...this.states.keys()].filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
  }

  setFolder(volumeId: string, find: () => Promise<string>): void {
    this.folders.set(volumeId, find);
  }

  /** All that a container is to be given. Throws with what it can't have: it is not made without. */
  async mountsOf({ mounts, networks }: WorkspaceSpec): Promise<EngineMount[]> {
    for (const id of networks) this.require('network', id, 'A network of this workspace');
    return Promise.all(mounts.map((mount) => this.resolve(mount)));
  }

  /** The folder of the host that a volume is; empty for one of the engine's own. Throws an EngineError while it can't be used. */
  async folderOf(volumeId: string): Promise<string> {
    this.require('volume', volumeId, 'The volume');
    return (await this.folders.get(volumeId)?.()) ?? '';
  }

  private async resolve({ volumeId, path, readOnly }: MountSpec): Promise<EngineMount> {
    this.require('volume', volumeId, `The volume at ${path}`);
    const folder = await this.folders.get(volumeId)?.();
    return folder === undefined ? { volumeId, path, readOnly } : { folder, path, readOnly };
  }

  private require(kind: Kind, id: string, what: string): void {
    const state = this.states.get(keyOf(kind, id));
    if (state?.status === 'created') return;
    const isBroken = state?.status === 'error';
    const why = isBroken ? state.message : 'it is not there yet';
    throw new EngineError(isBroken && state.isFinal ? 'invalid' : 'busy', `${what} can't be used: ${why}`);
  }
}

function keyOf(kind: Kind, id: string): string {
  return `${kind} ${id}`;
}
