import fs from 'node:fs';

/** Image ids by reference. With a file they are remembered over a restart, as a real engine would. */
export class SimulatedImages extends Map<string, string> {
  constructor(private readonly file: string | undefined) {
    super(readAll(file));
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
