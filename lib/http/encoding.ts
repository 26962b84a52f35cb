import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encoding = 'br' | 'gzip';
type Headers = Readonly<Record<string, string | string[] | number>>;

/** Less than this fits a packet or two as it is. */
const WORTH_BYTES = 1024;
const PACKED = /^(?:application\/(?:[a-z.-]+\+)?json|text\/(?!event-stream))/;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

const ways: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => deflate(bytes, { level: 6 }),
};

/** The encoding that a client likes best of those we speak, by its `Accept-Encoding`; undefined for none. */
export function pickEncoding(accepted: string): Encoding | undefined {
  if (accepted === '') return undefined;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...rest] = part.split(';').map((piece) => piece.trim());
    const weight = rest.find((piece) => piece.startsWith('q='))?.slice(2);
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br';
  // Whoever would rather have it plain gets it plain.
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** Whether an answer of this head may be sent in another encoding: text, whole, and under no name that stands for its bytes. */
export function isPackable(status: number, headers: Headers): boolean {
  if (status === 204 || status === 206 || status === 304) return false;
  if (headers['content-encoding'] || headers['content-range'] || headers.etag || headers['content-length'])
    return false;
  return (
    PACKED.test(String(headers['content-type'] ?? '')) && !/no-transform/.test(String(headers['cache-control'] ?? ''))
  );
}

interface Limits {
  /** Kept texts and their packed forms together. */
  maxSize: number;
  /** Of one text that is kept. */
  maxChars: number;
  /** Packed at the same time; what comes on top goes out as it is. */
  maxAtOnce: number;
}

interface Kept {
  packed: Promise<Buffer>;
  /** What it counts against the limit; 0 while it is being made. */
  size: number;
}

/** Packs texts beside the event loop, once each for as long as they are remembered. */
export function createPacker({ maxSize, maxChars, maxAtOnce }: Limits) {
  const kept: Record<Encoding, Map<string, Kept>> = { br: new Map(), gzip: new Map() };
  let size = 0;
  let atOnce = 0;

  function forgetOldest(encoding: Encoding): void {
    const all = kept[encoding];
    for (const [text, { size: freed }] of all) {
      if (size <= maxSize) return;
      if (freed === 0) continue;
      all.delete(text);
      size -= freed;
    }
  }

  async function make(encoding: Encoding, text: string): Promise<Buffer> {
    atOnce += 1;
    try {
      return await ways[encoding](Buffer.from(text));
    } finally {
      atOnce -= 1;
    }
  }

  function keep(encoding: Encoding, text: string): Promise<Buffer> {
    const entry: Kept = { packed: make(encoding, text), size: 0 };
    kept[encoding].set(text, entry);
    entry.packed.then(
      (packed) => {
        entry.size = text.length + packed.length;
        size += entry.size;
        forgetOldest(encoding);
        forgetOldest(encoding === 'br' ? 'gzip' : 'br');
      },
      () => kept[encoding].delete(text),
    );
    return entry.packed;
  }

  /** Undefined where it is not worth it, or where too many are being packed. */
  function pack(encoding: Encoding, text: string): Promise<Buffer> | undefined {
    if (text.length < WORTH_BYTES) return undefined;
    const known = kept[encoding].get(text);
    if (known) {
      kept[encoding].delete(text);
      kept[encoding].set(text, known);
      return known.packed;
    }
    if (atOnce >= maxAtOnce) return undefined;
    return text.length <= maxChars ? keep(encoding, text) : make(encoding, text);
  }

  return { pack, sizeNow: () => size };
}

export const packer = createPacker({ maxSize: 16_000_000, maxChars: 256_000, maxAtOnce: 16 });
