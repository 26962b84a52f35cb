import { AppError } from '@/lib/errors';
import type { RequestContext } from './context';

const UNREADABLE = 'An error occurred while loading the submitted data.';

/** Bodies of calls that carry a few values, in bytes. */
const SMALL_BODY_BYTES = 64 * 1024;

/**
 * A small JSON or url-encoded body as an object; an empty one is `{}`, whatever its content type says.
 * Throws AppError `invalid` for what can't be read and `too_large` past the limit.
 */
export async function readSmallBody(
  context: RequestContext,
  limitBytes = SMALL_BODY_BYTES,
): Promise<Record<string, unknown>> {
  const text = (await context.body(limitBytes)).toString('utf8');
  if (text.trim() === '') return {};
  const type = context.header('content-type').split(';')[0]!.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(text));
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // No cause: a parser's words quote the body, which may hold a password, and causes are logged.
    throw new AppError('invalid', UNREADABLE);
  }
  throw new AppError('invalid', UNREADABLE);
}
