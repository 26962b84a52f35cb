import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';

const SIZE = /^(\d{1,5})x(\d{1,5})([tbf]?)$/;
const THUMBED = new Set(['image/png', 'image/jpeg', 'image/gif']);
const MAX_SIDE = 4096;
const MAX_PIXELS = 50_000_000;

/** Thumbnails being made: requests for one share its job. */
const making = singleton('thumbnails', () => new Map<string, Promise<boolean>>());

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
  let job = making.get(request.target);
  if (!job) {
    job = make(request).finally(() => making.delete(request.target));
    making.set(request.target, job);
  }
  return job;
}

function isSize(size: string): boolean {
  const match = SIZE.exec(size);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  return match !== null && width + height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;
}

async function make({ original, target, size }: ThumbnailRequest): Promise<boolean> {
  const [, width, height, mode] = SIZE.exec(size)!;
  const [w, h] = [Number(width) || undefined, Number(height) || undefined];
  const partial = `${target}.${process.pid}.partial`;
  try {
    await fs.mkdir(path.dirname(target), { recursive: true });
    const position = mode === 't' ? 'top' : mode === 'b' ? 'bottom' : 'centre';
    const isFitted = mode === 'f' && w !== undefined && h !== undefined;
    const picture = sharp(original, { limitInputPixels: MAX_PIXELS }).rotate();
    const resized = isFitted
      ? picture.resize(w, h, { fit: 'inside', withoutEnlargement: true })
      : picture.resize(w, h, { fit: 'cover', position });
    await resized.toFile(partial);
    await fs.rename(partial, target);
    return true;
  } catch (error) {
    await fs.rm(partial, { force: true });
    log.warn({ err: error, size }, 'no thumbnail could be made');
    return false;
  }
}
