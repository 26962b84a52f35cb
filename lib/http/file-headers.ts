import type { Stats } from 'node:fs';
import type { RequestContext } from './context';
import type { MediaType } from '@/lib/records/media-type';

const INLINE =
  /^(?:image\/(?:png|jpe?g|apng|gif|webp|x-icon|vnd\.microsoft\.icon|bmp)|video\/(?:webm|mp4|mpeg|quicktime|3gpp|3gpp2)|audio\/(?:wav|vnd\.wave|basic|aiff|midi|mpeg|mp4|ogg|aac|x-m4a|flac)|application\/(?:pdf|x-pdf))$/;
const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FORCED: Record<string, string> = { '.svg': 'image/svg+xml', '.css': 'text/css' };

/** Headers of a stored file. Only what browsers show without running anything is shown inline. */
export function fileHeaders({
  name,
  type,
  stats,
  download,
}: {
  name: string;
  type: Pick<MediaType, 'mime' | 'contentType'>;
  stats: Stats;
  download: string;
}): Record<string, string> {
  const extension = /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? '';
  const disposition = INLINE.test(type.mime) && !TRUE.has(download) ? 'inline' : 'attachment';
  return {
    'content-type': FORCED[extension] ?? type.contentType,
    'content-disposition': `${disposition}; filename=${name}`,
    'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'cache-control': 'max-age=2592000, stale-while-revalidate=86400',
    'accept-ranges': 'bytes',
    'last-modified': stats.mtime.toUTCString(),
    'x-frame-options': '',
  };
}

/** The one range that was asked for; undefined for the whole file, `outside` when there is no such part. */
export function rangeOf(
  context: RequestContext,
  { size, mtimeMs }: Stats,
): { start: number; end: number } | 'outside' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(context.header('range'));
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const ifRange = context.header('if-range');
  if (ifRange && Math.floor(Date.parse(ifRange) / 1000) !== Math.floor(mtimeMs / 1000)) return undefined;
  const isSuffix = match[1] === '';
  const start = isSuffix ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = isSuffix || match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start > end || start >= size || (isSuffix && Number(match[2]) === 0) ? 'outside' : { start, end };
}
