import 'server-only';
import type { z } from 'zod';
import { AppError } from '@/lib/errors';
import type { RequestContext } from './context';

const BODY_BYTES = 64 * 1024;

/** The small JSON body of a product call; an empty one counts as `{}`. Throws `invalid` with every wrong field. */
export async function readJson<T>(context: RequestContext, schema: z.ZodType<T>): Promise<T> {
  const raw = await context.body(BODY_BYTES);
  let value: unknown;
  try {
    value = raw.length === 0 ? {} : JSON.parse(raw.toString('utf8'));
  } catch {
    // No cause: a parser's words quote the body, and causes are logged.
    throw new AppError('invalid', 'The body is no JSON.');
  }
  return schema.parse(value);
}
