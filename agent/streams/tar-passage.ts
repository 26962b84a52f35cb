import { Readable } from 'node:stream';
import { TarCheck, type TarOptions } from '../../lib/protocol/tar-check';

/** A tar as it passes, checked; breaks off with a TarError where it is none, or not whole. */
export function passTar(source: Readable, options: TarOptions = {}): { passed: Readable; check: TarCheck } {
  const check = new TarCheck(options);
  async function* parts(): AsyncGenerator<Buffer> {
    for await (const chunk of source as AsyncIterable<Buffer>) yield* check.push(chunk);
    yield check.end();
  }
  const passed = Readable.from(parts(), { objectMode: false, highWaterMark: 64 * 1024 });
  // Whoever reads them hears of it.
  passed.on('error', () => undefined);
  passed.once('close', () => source.destroy());
  return { passed, check };
}
