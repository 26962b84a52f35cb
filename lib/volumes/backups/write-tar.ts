import 'server-only';
import { createReadStream, createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { AppError } from '@/lib/errors';
import { TarCheck, type TarOptions } from '@/lib/protocol/tar-check';
import { TarError } from '@/lib/protocol/tar-heads';
import { fileOf, makeFolder, partialOf, requireRoom, removeFile } from './folder';

const ROOM_STEP_BYTES = 64 * 1024 ** 2;
/** What moves; more costs the console's processor far more than it saves. */
const GZIP_LEVEL = 1;

export interface WrittenTar {
  sizeBytes: number;
  tarBytes: number;
  entries: number;
  leftOut: number;
}

/**
 * Packs a tar as it comes into a backup's file, which is there once it is whole, and checked. Nothing is left where this
 * throws: AppError `invalid` for what is no tar or gets larger than `maxBytes`, `conflict` where the disk gets full, and what the source throws.
 */
export async function writeTar(
  backupId: string,
  source: AsyncIterable<Buffer>,
  options: TarOptions & { signal: AbortSignal; maxBytes?: number | undefined },
): Promise<WrittenTar> {
  await makeFolder();
  const partial = partialOf(backupId);
  const check = new TarCheck(options);
  try {
    const packed = createGzip({ level: GZIP_LEVEL });
    const target = createWriteStream(partial, { mode: 0o600, flush: true });
    const bounded = atMost(options.maxBytes ?? Infinity);
    await pipeline(watchRoom(checked(source, check)), packed, bounded, target, { signal: options.signal });
    const { size: sizeBytes } = await fs.stat(partial);
    await fs.rename(partial, fileOf(backupId));
    const { bytes: tarBytes, entries, leftOut } = check;
    return { sizeBytes, tarBytes, entries, leftOut };
  } catch (error) {
    await fs.rm(partial, { force: true });
    await removeFile(backupId);
    if (error instanceof TarError) throw new AppError('invalid', error.message, { cause: error });
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new AppError('conflict', 'The disk of the console is full.');
    throw error;
  }
}

async function* checked(source: AsyncIterable<Buffer>, check: TarCheck): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield* check.push(chunk);
  yield check.end();
}

/** Packed it is seldom more than that. */
async function* watchRoom(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let since = ROOM_STEP_BYTES;
  for await (const chunk of source) {
    since += chunk.length;
    if (since >= ROOM_STEP_BYTES) {
      await requireRoom(ROOM_STEP_BYTES);
      since = 0;
    }
    yield chunk;
  }
}

/** Passes on what is packed, up to so many bytes. */
function atMost(maxBytes: number) {
  return async function* (packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of packed) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new AppError('invalid', 'The backup is larger than what the quota of storage has left.');
      yield chunk;
    }
  };
}

const GZIP = [0x1f, 0x8b];

/** An upload's tar, unpacked where it came packed. */
export async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let first: Buffer = Buffer.alloc(0);
  while (first.length < GZIP.length) {
    const next = await chunks.next();
    if (next.done) break;
    first = Buffer.concat([first, next.value]);
  }
  async function* all(): AsyncGenerator<Buffer> {
    if (first.length > 0) yield first;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  if (!GZIP.every((byte, at) => first[at] === byte)) return yield* all();
  const input = Readable.from(all(), { objectMode: false });
  const output = createGunzip();
  input.on('error', (error) => output.destroy(error));
  try {
    for await (const chunk of input.pipe(output) as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    const isBroken = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw isBroken ? new AppError('invalid', 'The packed tar is damaged.', { cause: error }) : error;
  } finally {
    input.destroy();
    output.destroy();
  }
}

/** The tar of a backup, unpacked. */
export function readTar(backupId: string): AsyncIterable<Buffer> {
  return unpacked(createReadStream(fileOf(backupId)) as AsyncIterable<Buffer>);
}
