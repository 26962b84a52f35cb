'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ready } from '@/components/data/client';

export interface PasskeyEntry {
  id: string;
  name: string;
  created: string;
  lastUsed: string;
  isBackedUp: boolean;
}

export interface FactorState {
  enabled: boolean;
  totp: { since: string } | null;
  passkeys: PasskeyEntry[];
  recoveryCodesLeft: number;
  isRequired: boolean;
  /** Only of one's own. */
  needsPassword?: boolean;
}

export interface SessionEntry {
  id: string;
  isCurrent: boolean;
  address: string;
  userAgent: string;
  created: string;
  lastUsed: string;
}

export interface ApiTokenEntry {
  id: string;
  name: string;
  scope: 'read' | 'full';
  hint: string;
  created: string;
  /** Empty for one that never ends. */
  expires: string;
  lastUsed: string;
  lastAddress: string;
}

/** Whose security is looked at: an admin names somebody else, everyone else has their own. */
export type Whose = string | undefined;

export const ofUser = (whose: Whose) => ({ query: whose ? { user: whose } : {} });

function useSecurityQuery<T>(path: string, whose: Whose) {
  return useQuery({
    queryKey: ['security', path, whose ?? ''],
    queryFn: async (): Promise<T> => (await ready()).send<T>(path, { method: 'GET', ...ofUser(whose) }),
    // Nothing tells of changes here: what is looked at is asked for anew.
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

export const useFactorState = (whose?: Whose) => useSecurityQuery<FactorState>('/api/second-factor', whose);
export const useSessions = (whose?: Whose) => useSecurityQuery<{ items: SessionEntry[] }>('/api/sessions', whose);
export const useApiTokens = (whose?: Whose) => useSecurityQuery<{ items: ApiTokenEntry[] }>('/api/tokens', whose);

/** Asks for everything again: a change of factors ends sessions too. */
export function useRefreshSecurity(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['security'] });
}

/** Whether the viewer may log in by an account elsewhere, and so may have no password here. */
export function useHasProvider(userId: string): boolean {
  const links = useQuery({
    queryKey: ['external-auths', userId],
    queryFn: async () => (await ready()).collection('users').listExternalAuths(userId),
  });
  return (links.data?.length ?? 0) > 0;
}
