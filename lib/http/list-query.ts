import { z, type ZodType } from 'zod';
import { AppError, GENERIC_MESSAGE } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import type { RequestContext } from './context';

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['', '0', 'f', 'F', 'FALSE', 'false', 'False']);

/** What the query of a list means, for its description. */
export const LIST_QUERY = {
  page: 'Number of the page, from 1',
  perPage: 'Items on a page',
  filter: 'Which of them, as the filter language says it',
  sort: 'Names of fields with commas between, `-` before those that go down',
  skipTotal: '`1` leaves the total uncounted',
};

/** A page of a list, in the description of a call's answer. */
export function pageOf<T extends ZodType>(item: T) {
  return z.strictObject({
    page: z.int(),
    perPage: z.int(),
    totalItems: z.int().describe('-1 where it is not counted'),
    totalPages: z.int(),
    items: z.array(item),
  });
}

export interface ListQuery {
  page: number | undefined;
  perPage: number | undefined;
  skipTotal: boolean;
  filter: string;
  sort: string;
}

/** What a list is asked for. Throws AppError `invalid` for what can't be read and for a query that is too long. */
export function listQueryOf({ query, rawQuery }: RequestContext): ListQuery {
  if (rawQuery.length > limits.queryStringChars) throw new AppError('invalid', 'Query string is too large.');
  return {
    page: integerOf(query.get('page')),
    perPage: integerOf(query.get('perPage')),
    skipTotal: boolOf(query.get('skipTotal')),
    filter: query.get('filter') ?? '',
    sort: query.get('sort') ?? '',
  };
}

/** Whether a query value says yes; anything unreadable says no. */
export function isTrue(text: string | null): boolean {
  return TRUE.has(text ?? '');
}

function integerOf(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new AppError('invalid', GENERIC_MESSAGE);
  return value;
}

function boolOf(text: string | null): boolean {
  if (text === null || FALSE.has(text)) return false;
  if (!TRUE.has(text)) throw new AppError('invalid', GENERIC_MESSAGE);
  return true;
}
