'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { displayName } from '@/components/records/person';

/** Disables and enables accounts, one after the other, and tells what came of it. */
export function useSwitchUsers() {
  const t = useTranslations('pages.users');
  const viewer = useViewer();
  const tell = useTell();
  const refresh = useRefresh();

  async function switchUsers(users: UserRecord[], enabled: boolean): Promise<void> {
    const client = await ready();
    const results = await Promise.allSettled(
      users.map((user) => client.collection('users').update(user.id, { enabled })),
    );
    const done = users.filter((_, index) => results[index]?.status === 'fulfilled');
    const failed = results.find((result) => result.status === 'rejected');
    const [first] = done;
    if (first) {
      tell.done(t(enabled ? 'told.enable' : 'told.disable', { count: done.length, name: displayName(first) }));
    }
    if (failed)
      tell.failed(
        t(enabled ? 'inVain.enable' : 'inVain.disable', { count: users.length - done.length }),
        failed.reason,
      );
    await refresh('users');
  }

  /** Why an account stays as it is. */
  function refusalOf(user: UserRecord, enabled: boolean): string | undefined {
    if (user.id === viewer.id) return t('own');
    if ((user.enabled !== false) !== enabled) return undefined;
    return t(enabled ? 'already.enabled' : 'already.disabled');
  }

  return { switchUsers, refusalOf };
}
