/** The last bytes of a terminal's output, by their place since its beginning. Grows up to its size, then forgets the oldest. */
export class ReplayRing {
  /** Place behind the last byte. */
  end = 0;
  private bytes: Buffer;

  constructor(
    private readonly sizeBytes: number,
    firstBytes = 16 * 1024,
  ) {
    this.bytes = Buffer.allocUnsafe(Math.min(firstBytes, sizeBytes));
  }

  /** Place of the oldest byte that is kept. */
  get start(): number {
    return Math.max(0, this.end - this.bytes.length);
  }

  append(chunk: Buffer): void {
    this.grow(chunk.length);
    const kept = chunk.subarray(Math.max(0, chunk.length - this.bytes.length));
    const at = (this.end + chunk.length - kept.length) % this.bytes.length;
    const first = kept.subarray(0, this.bytes.length - at);
    first.copy(this.bytes, at);
    kept.copy(this.bytes, 0, first.length);
    this.end += chunk.length;
  }

  /** A copy of up to so many bytes from a place that is still kept; empty at the end. */
  read(from: number, max: number): Buffer {
    const length = Math.min(this.end - from, max);
    const at = from % this.bytes.length;
    const first = this.bytes.subarray(at, Math.min(at + length, this.bytes.length));
    return Buffer.concat([first, this.bytes.subarray(0, length - first.length)], length);
  }

  private grow(more: number): void {
    if (this.bytes.length === this.sizeBytes || this.end + more <= this.bytes.length) return;
    // Until it has its full size nothing was forgotten, so the bytes lie in order.
    let size = this.bytes.length;
    while (size < this.end + more && size < this.sizeBytes) size = Math.min(size * 2, this.sizeBytes);
    const bytes = Buffer.allocUnsafe(size);
    this.bytes.copy(bytes, 0, 0, this.end);
    this.bytes = bytes;
  }
}
