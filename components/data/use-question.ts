'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ready } from './client';
import { hasTimedOut, messageOf } from './problems';

/** Asks the console something when it is told to, and keeps the answer while the page is open. */
export function useQuestion<Answer>(path: string) {
  const errors = useTranslations('common.errors');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['question', path],
    queryFn: async ({ signal }) => (await ready()).send<Answer>(path, { signal, requestKey: null }),
    enabled: false,
    retry: false,
  });
  const problem = error && !isFetching ? messageOf(error) || errors(hasTimedOut(error) ? 'timeout' : 'general') : '';
  return { answer: data, problem, isAsking: isFetching, ask: () => void refetch() };
}
