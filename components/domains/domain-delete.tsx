'use client';

import { Boxes } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { DomainRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import type { DeleteBlocker } from '@/components/records/delete-dialog';
import { DeletePanel } from '@/components/records/delete-panel';
import { paths } from '@/lib/paths';
import { useDomainUsers } from './use-domain-users';

/** Takes a domain out of the console. */
export function DomainDelete({ domain }: { domain: DomainRecord }) {
  const t = useTranslations('pages.domains.deletion');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const blockers = useBlockers(domain.id);

  async function remove() {
    await (await ready()).collection('domains').delete(domain.id);
    tell.done(common('told.deleted', { name: domain.url }));
    router.push(paths.domains);
    await refresh('domains');
  }

  return (
    <DeletePanel
      heading={t('heading', { name: domain.url })}
      text={t('text')}
      usedText={t('used')}
      button={t('button')}
      blockers={blockers}
      title={t('title', { name: domain.url })}
      verification={domain.url}
      gone={[]}
      onDelete={remove}
    />
  );
}

function useBlockers(domainId: string): DeleteBlocker[] | undefined {
  const t = useTranslations('common.usedBy');
  const { data } = useDomainUsers(domainId);
  if (!data) return undefined;
  return [
    ...data.items.map(({ id, name }) => ({ icon: <Boxes />, name, href: paths.workspace(id) })),
    ...(data.more > 0 ? [{ icon: <Boxes />, name: t('more', { count: data.more }) }] : []),
  ];
}
