import 'server-only';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import type { RequestContext } from './context';
import type { AnyRow, Collection } from '@/lib/records/collection';
import type { Upload } from '@/lib/records/uploads';
import { readMultipart } from './multipart';

const UNREADABLE = 'Failed to load the submitted data due to invalid formatting.';

export interface RecordBody {
  body: AnyRow;
  uploads: Record<string, Upload[]>;
}

/** The body of a create or update: JSON or multipart. Throws AppError `too_large`, and `invalid` for anything else. */
export async function readRecordBody(
  context: RequestContext,
  collection: Collection,
  { isGuest = false } = {},
): Promise<RecordBody> {
  const type = context.header('content-type').split(';')[0]!.trim().toLowerCase();
  try {
    if (type === 'multipart/form-data')
      return await readMultipart(context, collection, isGuest ? limits.guestBodyBytes : limits.multipartBodyBytes);
    if (type !== 'application/json' && type !== '') throw new AppError('invalid', UNREADABLE);
    return { body: parseBody(await context.body(isGuest ? limits.guestBodyBytes : limits.jsonBodyBytes)), uploads: {} };
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
