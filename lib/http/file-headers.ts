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
  isProtected,
}: {
  name: string;
  type: Pick<MediaType, 'mime' | 'contentType'>;
  stats: Stats;
  download: string;
  /** Whether it is for some people only: no cache on the way may keep it. */
  isProtected: boolean;
}): Record<string, string> {
  const extension = /\.[^.]+$/.exec(name)?.[0].toLowerCase() ?? '';
  const disposition = INLINE.test(type.mime) && !TRUE.has(download) ? 'inline' : 'attachment';
  return {
    'content-type': FORCED[extension] ?? type.contentType,
    'content-disposition': `${disposition}; filename=${name}`,
    'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    'cache-control': `${isProtected ? 'private, ' : ''}max-age=2592000, stale-while-revalidate=86400`,
    'accept-ranges': 'bytes',
    'last-modified': stats.mtime.toUTCString(),
    'x-frame-options': '',
  };
}

/**
 * Headers of what was never looked at and is to be saved: no browser shows it, or runs it, as a page of the console. The
 * name may be any text.
 */
export function attachmentHeaders(name: string): Record<string, string> {
  const shown = name.replace(/[\u0000-\u001f\u007f/\\]/g, '_');
  const plain = shown.replace(/[^\x20-\x7e]|["%]/g, '_');
  const whole = encodeURIComponent(Buffer.from(shown).toString()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16)}`,
  );
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${plain}"; filename*=UTF-8''${whole}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store, no-transform',
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
