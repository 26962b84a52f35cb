import type Docker from 'dockerode';
import { EngineError } from '../../engine-error';
import type { VolumePlace } from '../../engine-volume-files';
import { Helper } from './helper';

/** Nothing is asked for so long: the next question waits for a new one. */
const IDLE_MS = 30_000;
const AT_ONCE = 8;

interface Held {
  opening: Promise<Helper>;
  folder: string;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

type Name = Pick<VolumePlace, 'hostId' | 'id'>;

/** The helpers of volumes that something is asked of, or was a moment ago. */
export class Helpers {
  private readonly byVolume = new Map<string, Held>();

  constructor(private readonly docker: Docker) {}

  /** A helper that stays until `done` is called. Throws an EngineError. */
  async hold(volume: VolumePlace): Promise<{ helper: Helper; done: () => void }> {
    const held = await this.take(volume);
    held.users += 1;
    clearTimeout(held.idle);
    let isDone = false;
    const done = (): void => {
      if (isDone) return;
      isDone = true;
      held.users -= 1;
      if (held.users === 0) held.idle = setTimeout(() => void this.end(volume, held), IDLE_MS).unref();
    };
    try {
      return { helper: await held.opening, done };
    } catch (error) {
      done();
      await this.end(volume, held);
      throw error;
    }
  }

  /** Ends it, whatever it is asked at the moment. */
  async release(name: Name): Promise<void> {
    const held = this.byVolume.get(keyOf(name));
    if (held) await this.end(name, held);
  }

  async closeAll(): Promise<void> {
    const all = [...this.byVolume.values()];
    this.byVolume.clear();
    await Promise.all(all.map(close));
  }

  private async take(volume: VolumePlace): Promise<Held> {
    const known = this.byVolume.get(keyOf(volume));
    if (known) {
      const helper = await known.opening.catch(() => undefined);
      if (helper?.isOver === false && known.folder === volume.folder) return known;
      await this.end(volume, known);
    }
    const other = this.byVolume.get(keyOf(volume));
    if (other) return other;
    await this.makeRoom();
    const opening = Helper.open(this.docker, volume);
    opening.catch(() => undefined);
    const held: Held = { opening, folder: volume.folder, users: 0, idle: undefined };
    this.byVolume.set(keyOf(volume), held);
    return held;
  }

  private async makeRoom(): Promise<void> {
    if (this.byVolume.size < AT_ONCE) return;
    const idle = [...this.byVolume].find(([, { users }]) => users === 0);
    if (!idle) throw new EngineError('busy', `This host looks into ${AT_ONCE} volumes at once. Try again in a while.`);
    this.byVolume.delete(idle[0]);
    await close(idle[1]);
  }

  private async end(name: Name, held: Held): Promise<void> {
    if (this.byVolume.get(keyOf(name)) === held) this.byVolume.delete(keyOf(name));
    await close(held);
  }
}

async function close(held: Held): Promise<void> {
  clearTimeout(held.idle);
  const helper = await held.opening.catch(() => undefined);
  await helper?.close();
}

function keyOf({ hostId, id }: Name): string {
  return `${hostId} ${id}`;
}
