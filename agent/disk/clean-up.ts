import type { z } from 'zod';
import type { DiskUse, openPruneSchema, PruneState } from '../../lib/protocol/disk-streams';
import type { AgentClock } from '../clock';
import type { Engine } from '../engines/engine';
import type { EngineDisk } from '../engines/engine-disk';
import { toMessage } from '../engines/engine-error';
import { RefusedQuestion } from '../streams/answers';

const KEPT_TOLD = 20;
const NO_DISK = 'The engine of this host does not tell what lies on its disk.';

interface CleanUpOptions {
  engine: Engine;
  clock: AgentClock;
  /** Whether builds or pulls are under way: what they start from has no container yet. */
  isBusy(): boolean;
  /** Fires when the agent stops. */
  signal: AbortSignal;
}

/** Removes images and build cache, one act at a time, and tells how far it is. What it did is forgotten with the agent. */
export class CleanUp {
  private state: PruneState | null = null;
  private reading: Promise<Omit<DiskUse, 'prune'>> | undefined;

  constructor(private readonly options: CleanUpOptions) {}

  /** Throws a RefusedQuestion or an EngineError. Who asks meanwhile gets the same answer: engines count for seconds. */
  async read(): Promise<DiskUse> {
    this.reading ??= this.requireDisk()
      .read()
      .finally(() => (this.reading = undefined));
    return { ...(await this.reading), prune: this.state };
  }

  /** Begins, and resolves with how it begins. Throws a RefusedQuestion while one goes on, or builds do. */
  async begin({
    images,
    buildCache,
  }: Pick<z.infer<typeof openPruneSchema>, 'images' | 'buildCache'>): Promise<PruneState> {
    const disk = this.requireDisk();
    if (this.state?.isRunning) throw new RefusedQuestion('busy', 'Something is being removed already.');
    this.requireQuiet();
    const state: PruneState = {
      startedAt: new Date(this.options.clock.now()).toISOString(),
      isRunning: true,
      asked: images.length,
      removed: 0,
      freedCacheBytes: 0,
      kept: [],
      message: '',
    };
    this.state = state;
    void this.remove(disk, state, { images, buildCache }).finally(() => (state.isRunning = false));
    return { ...state };
  }

  private async remove(
    disk: EngineDisk,
    state: PruneState,
    { images, buildCache }: { images: readonly string[]; buildCache: boolean },
  ): Promise<void> {
    try {
      for (const image of images) {
        this.options.signal.throwIfAborted();
        this.requireQuiet();
        await this.removeOne(disk, state, image);
      }
      if (!buildCache) return;
      this.requireQuiet();
      state.freedCacheBytes = await disk.emptyBuildCache();
    } catch (error) {
      state.message = toMessage(error).slice(0, 2000);
    }
  }

  private async removeOne(disk: EngineDisk, state: PruneState, image: string): Promise<void> {
    try {
      await disk.removeImage(image);
      state.removed += 1;
    } catch (error) {
      if (state.kept.length < KEPT_TOLD) state.kept.push({ name: image, why: toMessage(error).slice(0, 500) });
    }
  }

  private requireQuiet(): void {
    if (!this.options.isBusy()) return;
    throw new RefusedQuestion('busy', 'Builds or pulls are under way on this host. Remove what is unused after them.');
  }

  private requireDisk(): EngineDisk {
    const { disk } = this.options.engine;
    if (!disk) throw new RefusedQuestion('invalid', NO_DISK);
    return disk;
  }
}
