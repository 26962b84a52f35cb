'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { statusOf } from './problems';

const MINUTE_MS = 60_000;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5 * MINUTE_MS,
        gcTime: 5 * MINUTE_MS,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 3 && !isFinal(error),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
      },
    },
  });
}

/** Asking again would only bring the same answer. */
function isFinal(error: unknown): boolean {
  const status = statusOf(error);
  return status >= 400 && status < 500 && status !== 429;
}

export function QueryProvider({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
