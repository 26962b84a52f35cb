import type { DescribedImage } from '../engine';
import { EngineError } from '../engine-error';
import type { SimulatedContainer } from './simulated-container';
import fs from 'node:fs';

/** Image ids by reference. With a file they are remembered over a restart, as a real engine would. */
export class SimulatedImages extends Map<string, string> {
  constructor(private readonly file: string | undefined) {
    super(readAll(file));
  }

  describe(imageId: string): DescribedImage {
    const tags = [...this].filter(([, id]) => id === imageId).map(([name]) => name);
    return { imageId, tags, labels: {}, platform: 'linux/amd64', triggers: [], digests: [] };
  }

  override set(reference: string, imageId: string): this {
    super.set(reference, imageId);
    // While the map is still being filled from the file there is nothing to write.
    if (this.file) this.save(this.file);
    return this;
  }

  override delete(reference: string): boolean {
    const wasThere = super.delete(reference);
    if (this.file) this.save(this.file);
    return wasThere;
  }

  private save(file: string): void {
    fs.writeFileSync(file, JSON.stringify([...this]), { mode: 0o600 });
  }
}

function readAll(file: string | undefined): [string, string][] {
  if (!file || !fs.existsSync(file)) return [];
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as [string, string][];
  } catch {
    // A torn file of a simulation is worth nothing: start anew.
    return [];
  }
}

/** As with Docker: not the last name of an image that a container uses. */
export function removeSimulatedImage(
  image: string,
  { images, containers }: { images: SimulatedImages; containers: Iterable<SimulatedContainer> },
): Promise<void> {
  const imageId = images.get(image) ?? image;
  const names = [...images.values()].filter((id) => id === imageId).length;
  const user = [...containers].find((container) => container.imageId === imageId);
  // As with Docker, a name goes while there is another; an image goes with its last.
  if (user && (names <= 1 || image === imageId))
    return Promise.reject(new EngineError('conflict', `The image is in use by the container ${user.name}`));
  for (const [reference, id] of images) if (reference === image || id === image) images.delete(reference);
  return Promise.resolve();
}
