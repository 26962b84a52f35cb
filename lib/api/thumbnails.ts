import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { nowMs } from '@/lib/clock';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';
import { createTurns, QueueFullError } from '@/lib/turns';

const SIZE = /^(\d{1,5})x(\d{1,5})([tbf]?)$/;
const THUMBED = new Set(['image/png', 'image/jpeg', 'image/gif']);
const MAX_SIDE = 4096;
const MAX_PIXELS = 50_000_000;
/** A picture may take hundreds of megabytes while it is scaled, and a thread that disk work waits for too. */
const AT_ONCE = 2;
const MAX_WAITING = 200;
const TIMEOUT_SECONDS = 10;
const FAILED_FOR_MS = 600_000;
const MAX_FAILED = 1000;

// What it keeps between pictures would come on top of that, and more threads would leave none for requests.
sharp.cache(false);
sharp.concurrency(1);

/** Thumbnails being made: requests for one share its job. Failed ones are not tried again for a while. */
const thumbnails = singleton('thumbnails', () => ({
  making: new Map<string, Promise<boolean>>(),
  failedMs: new Map<string, number>(),
  inTurn: createTurns(AT_ONCE, MAX_WAITING),
}));

export interface ThumbnailRequest {
  original: string;
  /** Where it is to lie. */
  target: string;
  size: string;
  mime: string;
}

/** Makes the thumbnail unless it is there; false where the original has to do: other types, bad sizes, broken pictures. */
export async function ensureThumbnail(request: ThumbnailRequest): Promise<boolean> {
  if (!THUMBED.has(request.mime) || !isSize(request.size)) return false;
  const exists = await fs.access(request.target).then(
    () => true,
    () => false,
  );
  if (exists) return true;
  const { making, failedMs } = thumbnails;
  if (nowMs() - (failedMs.get(request.target) ?? -Infinity) < FAILED_FOR_MS) return false;
  let job = making.get(request.target);
  if (!job) {
    job = makeInTurn(request).finally(() => making.delete(request.target));
    making.set(request.target, job);
  }
  return job;
}

async function makeInTurn(request: ThumbnailRequest): Promise<boolean> {
  try {
    await thumbnails.inTurn(() => make(request));
    return true;
  } catch (error) {
    if (!(error instanceof QueueFullError)) rememberFailure(request.target);
    log.warn({ err: error, size: request.size }, 'no thumbnail could be made');
    return false;
  }
}

function rememberFailure(target: string): void {
  const { failedMs } = thumbnails;
  failedMs.delete(target);
  failedMs.set(target, nowMs());
  const [oldest] = failedMs.keys();
  if (failedMs.size > MAX_FAILED && oldest !== undefined) failedMs.delete(oldest);
}

function isSize(size: string): boolean {
  const match = SIZE.exec(size);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  return match !== null && width + height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;
}

async function make({ original, target, size }: ThumbnailRequest): Promise<void> {
  const [, width, height, mode] = SIZE.exec(size)!;
  const [w, h] = [Number(width) || undefined, Number(height) || undefined];
  const partial = `${target}.${process.pid}.partial`;
  try {
    await fs.mkdir(path.dirname(target), { recursive: true });
    const position = mode === 't' ? 'top' : mode === 'b' ? 'bottom' : 'centre';
    const isFitted = mode === 'f' && w !== undefined && h !== undefined;
    const picture = sharp(original, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: TIMEOUT_SECONDS }).rotate();
    const resized = isFitted
      ? picture.resize(w, h, { fit: 'inside', withoutEnlargement: true })
      : picture.resize(w, h, { fit: 'cover', position });
    await resized.toFile(partial);
    await fs.rename(partial, target);
  } catch (error) {
    await fs.rm(partial, { force: true });
    throw error;
  }
}
