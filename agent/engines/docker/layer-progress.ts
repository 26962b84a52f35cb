import type { ProgressLine } from './json-lines';

interface Layer {
  status: string;
  current: number;
  total: number;
}

/** A line is printed whenever the whole has grown by this share. */
const STEP = 0.1;

/** Makes a few readable lines out of the thousands that a pull or push reports: each layer's stages, and the whole. */
export class LayerProgress {
  private readonly layers = new Map<string, Layer>();
  private printedShare = 0;

  constructor(private readonly log: (text: string) => void) {}

  take(line: ProgressLine): void {
    if (!line.status) return;
    if (!line.id || /^Pulling from /.test(line.status))
      return this.log(`${line.id ? `${line.id}: ` : ''}${line.status}\n`);
    const layer = this.layers.get(line.id) ?? { status: '', current: 0, total: 0 };
    this.layers.set(line.id, layer);
    if (line.progressDetail?.total && /^(Downloading|Pushing)/.test(line.status)) {
      layer.current = line.progressDetail.current ?? 0;
      layer.total = line.progressDetail.total;
      this.printShare();
    }
    if (layer.status === line.status) return;
    layer.status = line.status;
    if (/complete|exists|Pushed|Mounted/i.test(line.status)) this.log(`${line.id}: ${line.status}\n`);
  }

  finish(): void {
    if (this.layers.size > 0) this.log(`${this.layers.size} layers done\n`);
  }

  private printShare(): void {
    let current = 0;
    let total = 0;
    for (const layer of this.layers.values()) {
      current += layer.current;
      total += layer.total;
    }
    const share = total === 0 ? 0 : current / total;
    if (share < this.printedShare + STEP) return;
    this.printedShare = share;
    this.log(`${Math.round(share * 100)} % of ${(total / 1e6).toFixed(1)} MB\n`);
  }
}
