'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { z } from 'zod';
import { limits } from '@/lib/vocabulary/limits';

/** A list's state as the address holds it. Bad values fall back; the first page is 0. */
const listStateSchema = z.object({
  search: z.string().max(200).catch(''),
  perPage: z.coerce
    .number()
    .refine((size) => limits.pageSizes.some((each) => each === size))
    .catch(limits.pageSizeDefault),
  page: z.coerce.number().int().min(0).catch(0),
  sort: z
    .string()
    .regex(/^-?[A-Za-z_.]{1,60}$/)
    .catch(''),
});

export interface ListState {
  search: string;
  perPage: number;
  page: number;
  sort: string;
  /** Chosen filter values by key. */
  filters: Record<string, string>;
}

export function parseListState(params: URLSearchParams, filterKeys: string[]): ListState {
  const read = (key: string) => params.get(key) ?? undefined;
  const state = listStateSchema.parse({
    search: read('search'),
    perPage: read('perPage'),
    page: read('page'),
    sort: read('sort'),
  });
  const filters: Record<string, string> = {};
  for (const key of filterKeys) {
    const value = params.get(key);
    if (value) filters[key] = value;
  }
  return { ...state, filters };
}

type Patch = Record<string, string | number | undefined>;

/** The list's state, and a way to change it: the address changes, nothing is asked of the server for that. */
export function useListState(filterKeys: string[]) {
  const params = useSearchParams();
  const pathname = usePathname();
  const state = parseListState(new URLSearchParams(params), filterKeys);

  function change(patch: Patch, { isTyping = false } = {}) {
    const next = new URLSearchParams(window.location.search);
    if (!('page' in patch)) next.delete('page');
    for (const [key, value] of Object.entries(patch)) {
      if (value === undefined || value === '' || value === 0) next.delete(key);
      else next.set(key, String(value));
    }
    const query = next.toString();
    const address = query ? `${pathname}?${query}` : pathname;
    if (isTyping) window.history.replaceState(null, '', address);
    else window.history.pushState(null, '', address);
  }

  return { state, change };
}
