import { waitFor } from '../../../wait';
import { EngineError } from '../../engine-error';

const FREE_PATIENCE_MS = 10_000;
const LOOK_MS = 50;
const WORDS = 'The transfer was ended: the engine needed the container for something else. Try again.';
const BUSY =
  'Another transfer of this workspace is under way, and the engine takes one at a time. Try again in a while.';

/**
 * The engine keeps a container locked for as long as it reads or writes an archive of it: until then nobody can start,
 * stop or inspect it. So whatever is asked of a container goes first, and its archives end.
 */
export class ArchiveHolds {
  private readonly held = new Map<string, Set<AbortController>>();

  /** A signal that fires when the archive has to end. Call `release` once it is over. */
  hold(containerId: string): { signal: AbortSignal; release: () => void } {
    const hold = new AbortController();
    const all = this.held.get(containerId) ?? new Set();
    this.held.set(containerId, all.add(hold));
    const release = (): void => {
      all.delete(hold);
      if (all.size === 0 && this.held.get(containerId) === all) this.held.delete(containerId);
    };
    return { signal: hold.signal, release };
  }

  isHeld(containerId: string): boolean {
    return this.held.has(containerId);
  }

  /** Resolves once no archive of the container is open. Throws an EngineError of kind `busy` when that takes long. */
  async untilFree(containerId: string): Promise<void> {
    const deadline = Date.now() + FREE_PATIENCE_MS;
    while (this.isHeld(containerId)) {
      if (Date.now() > deadline) throw new EngineError('busy', BUSY);
      await waitFor(LOOK_MS);
    }
  }

  /** Ends every archive of the container. */
  giveWay(containerId: string): void {
    const all = this.held.get(containerId);
    this.held.delete(containerId);
    for (const hold of all ?? []) hold.abort(new EngineError('busy', WORDS));
  }
}
