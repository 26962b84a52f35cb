'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { NetworkRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { useUsersAsBlockers } from '@/components/records/used-by';
import { DeletePanel } from '@/components/records/delete-panel';
import { paths } from '@/lib/paths';

/** Takes a network out of the console and off its host. */
export function NetworkDelete({ network }: { network: NetworkRecord }) {
  const t = useTranslations('pages.networks.deletion');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const blockers = useUsersAsBlockers({ field: 'networks', id: network.id });

  async function remove() {
    await (await ready()).collection('networks').delete(network.id);
    tell.done(common('told.deleted', { name: network.name }));
    router.push(paths.networks);
    await refresh('networks');
  }

  return (
    <DeletePanel
      heading={t('heading', { name: network.name })}
      text={t('text')}
      usedText={t('used')}
      button={t('button')}
      blockers={blockers}
      title={t('title', { name: network.name })}
      verification={network.name}
      gone={[]}
      onDelete={remove}
    />
  );
}
