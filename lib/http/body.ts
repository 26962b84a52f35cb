import { AppError } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import type { RequestContext } from './context';
import { readFormParts } from './form-parts';

const UNREADABLE = 'An error occurred while loading the submitted data.';

type Body = Record<string, unknown>;

/**
 * A small JSON, url-encoded or multipart body as an object; an empty one is `{}`, whatever its content type says. Values of
 * forms are texts, and lists of texts where a key is repeated; other values travel as `@jsonPayload` there.
 * Throws AppError `invalid` for what can't be read and `too_large` past the limit.
 */
export async function readSmallBody(
  context: RequestContext,
  limitBytes: number = limits.smallBodyBytes,
): Promise<Body> {
  const type = context.header('content-type').split(';')[0]!.trim().toLowerCase();
  try {
    if (type === 'multipart/form-data') return await readForm(context, limitBytes);
    const text = (await context.body(limitBytes)).toString('utf8');
    if (text.trim() === '') return {};
    if (type === 'application/x-www-form-urlencoded') return fromPairs(new URLSearchParams(text));
    const value: unknown = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Body;
  } catch (error) {
    if (error instanceof AppError) throw error;
    // No cause: a parser's words quote the body, which may hold a password, and causes are logged.
    throw new AppError('invalid', UNREADABLE);
  }
  throw new AppError('invalid', UNREADABLE);
}

async function readForm(context: RequestContext, limitBytes: number): Promise<Body> {
  const { fields, json } = await readFormParts(context, { limitBytes });
  return Object.fromEntries([...[...fields].map(toEntry), ...json.flatMap(Object.entries)]) as Body;
}

function fromPairs(pairs: URLSearchParams): Body {
  return Object.fromEntries([...new Set(pairs.keys())].map((key) => toEntry([key, pairs.getAll(key)])));
}

function toEntry([key, values]: [string, string[]]): [string, unknown] {
  return [key, values.length > 1 ? values : values[0]];
}
