import 'server-only';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import type { RequestContext } from './context';
import type { AnyRow, Collection } from '@/lib/records/collection';
import type { Upload } from '@/lib/records/uploads';
import type { TextOptions } from '@/lib/records/fields/text';
import { readMultipart } from './multipart';

const UNREADABLE = 'Failed to load the submitted data due to invalid formatting.';

export interface RecordBody {
  body: AnyRow;
  uploads: Record<string, Upload[]>;
}

/** So many bytes of a body may be texts: files of a multipart body have limits of their own. */
function textBytesOf(collection: Collection): number {
  const takesMuch = [...collection.fields.values()].some(
    ({ kind, options }) =>
      !options.serverWritten &&
      (kind === 'json' || (kind === 'text' && ((options as TextOptions).max ?? 0) > limits.textLength)),
  );
  return takesMuch ? limits.jsonBodyBytes : limits.smallBodyBytes;
}

/** The body of a create or update: JSON or multipart. Throws AppError `too_large`, and `invalid` for anything else. */
export async function readRecordBody(
  context: RequestContext,
  collection: Collection,
  { isGuest = false, limitBytes = limits.multipartBodyBytes as number } = {},
): Promise<RecordBody> {
  const textBytes = isGuest ? limits.smallBodyBytes : textBytesOf(collection);
  const type = context.header('content-type').split(';')[0]!.trim().toLowerCase();
  try {
    if (type === 'multipart/form-data')
      return await readMultipart(context, collection, {
        textBytes,
        limitBytes: isGuest ? textBytes : limitBytes,
      });
    if (type !== 'application/json' && type !== '') throw new AppError('invalid', UNREADABLE);
    return { body: parseBody(await context.body(textBytes)), uploads: {} };
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_large') throw error;
    // No cause: a parser's words quote the body, which may hold a password, and causes are logged.
    throw new AppError('invalid', UNREADABLE);
  }
}

/** An empty body is an empty object: the client sends a JSON content type with every call. */
function parseBody(bytes: Buffer): AnyRow {
  const text = bytes.toString('utf8').trim();
  const value: unknown = text === '' ? {} : JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('invalid', UNREADABLE);
  return value as AnyRow;
}
