'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { hasTimedOut, messageOf } from '@/components/data/problems';
import { isKept, type AccountValues } from './registry-schema';

type Account = Pick<AccountValues, 'serveraddress' | 'username' | 'password' | 'kept'>;

const keyOf = ({ serveraddress, username, password }: Account) => [serveraddress, username, password].join('\n');

/** Has the host sign in with an account as it is typed, or stored; what came of it is told until the account is changed. */
export function useAccountTest(hostId: string, account: Account) {
  const t = useTranslations('pages.hosts.registries');
  const errors = useTranslations('common.errors');
  const serveraddress = account.serveraddress.trim();
  const username = account.username.trim();
  const { mutateAsync, isPending, variables, data, error } = useMutation({
    mutationFn: async ({ body }: { key: string; body: Record<string, string> }) =>
      (await ready()).send<{ isSignedIn: boolean; message: string }>(`/api/host/${hostId}/test-registry`, {
        method: 'POST',
        body,
      }),
  });
  const isTold = !isPending && variables?.key === keyOf(account);
  const failure = error ? messageOf(error) || errors(hasTimedOut(error) ? 'timeout' : 'general') : '';
  const words = data?.isSignedIn ? t('testGood', { registry: serveraddress }) : failure || (data?.message ?? '');
  return {
    isBusy: isPending,
    isReady: serveraddress !== '' && username !== '' && (account.password !== '' || isKept(account)),
    outcome: isTold && words !== '' ? { isGood: data?.isSignedIn === true, words } : undefined,
    run: () => {
      const body = { serveraddress, username, ...(account.password !== '' && { password: account.password }) };
      return mutateAsync({ key: keyOf(account), body }).catch(() => undefined);
    },
  };
}
