import { normalizedText, readOwnName } from '../../lib/protocol/image-names';
import type { RegistryAuthSpec } from '../../lib/protocol/specs/host';
import type { Engine, ImageResult, JobOptions } from '../engines/engine';
import { EngineError } from '../engines/engine-error';

const held = new WeakMap<Engine, HostNames>();

export interface PullRequest {
  /** Where it comes from. */
  reference: string;
  /** What the host calls it. */
  tag: string;
  /** Engine id that it has to have; empty takes any. */
  wantedId?: string;
  auths: RegistryAuthSpec[];
  options: JobOptions & { platform?: string };
}

/**
 * Names of images on a host that are not ours: an engine pulls and pushes by them, one use of a name at a time, and afterwards
 * each means what it did before. Nobody's pull or push can so change what another's name stands for.
 */
export class HostNames {
  private readonly turns = new Map<string, Promise<unknown>>();

  private constructor(private readonly engine: Engine) {}

  static of(engine: Engine): HostNames {
    const known = held.get(engine) ?? new HostNames(engine);
    held.set(engine, known);
    return known;
  }

  /** Pulls an image and keeps it under a name of ours alone. */
  pull({ reference, tag, wantedId = '', auths, options }: PullRequest): Promise<ImageResult> {
    return this.borrow(reference, async () => {
      const image = await this.engine.pull(reference, auths, options);
      if (wantedId !== '' && image.imageId !== wantedId) throw wrongImage(reference);
      await this.engine.tagImage(image.imageId, tag);
      return image;
    });
  }

  /** Pushes an image of the host under a name that it does not keep. */
  push(
    image: string,
    { reference, auths, options }: { reference: string; auths: RegistryAuthSpec[]; options: JobOptions },
  ): Promise<ImageResult> {
    return this.borrow(reference, async () => {
      await this.engine.tagImage(image, reference);
      return this.engine.push(reference, auths, options);
    });
  }

  /** Runs while nobody else borrows the name, and gives it back its image. */
  async borrow<T>(reference: string, work: () => Promise<T>): Promise<T> {
    if (readOwnName(reference)) throw new EngineError('invalid', `${reference} is a name that only this host gives`);
    const name = normalizedText(reference);
    const before = this.turns.get(name) ?? Promise.resolve();
    const turn = before.then(() => this.restoring(reference, work));
    const settled = turn.catch(() => undefined);
    this.turns.set(name, settled);
    void settled.then(() => {
      if (this.turns.get(name) === settled) this.turns.delete(name);
    });
    return turn;
  }

  private async restoring<T>(reference: string, work: () => Promise<T>): Promise<T> {
    const { engine } = this;
    const before = await engine.findImage(reference);
    try {
      return await work();
    } finally {
      const after = await engine.findImage(reference).catch(() => before);
      // A name that can't be given back now is no reason to call failed what was done.
      if (before && after !== before) await engine.tagImage(before, reference).catch(() => undefined);
      else if (!before && after) await engine.removeImage(reference).catch(() => undefined);
    }
  }
}

export function wrongImage(reference: string): EngineError {
  const words = `The registry's ${reference} is not the image that was asked for. Pull it again.`;
  return new EngineError('not-found', words);
}
