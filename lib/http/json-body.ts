import 'server-only';
import type { z } from 'zod';
import type { RequestContext } from './context';
import { readSmallBody } from './body';

/** The small body of a product call as its schema has it; an empty one counts as `{}`. Throws `invalid` with every wrong field. */
export async function readJson<T>(context: RequestContext, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await readSmallBody(context));
}
