'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { hasTimedOut, messageOf } from '@/components/data/problems';

/** Asks a host's agent something when it is told to, and keeps the answer while the page is open. */
export function useHostQuestion<Answer>(hostId: string, question: string) {
  const errors = useTranslations('common.errors');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [`host-${question}`, hostId],
    queryFn: async ({ signal }) =>
      (await ready()).send<Answer>(`/api/host/${hostId}/${question}`, { signal, requestKey: null }),
    enabled: false,
    retry: false,
  });
  const problem = error && !isFetching ? messageOf(error) || errors(hasTimedOut(error) ? 'timeout' : 'general') : '';
  return { answer: data, problem, isAsking: isFetching, ask: () => void refetch() };
}
