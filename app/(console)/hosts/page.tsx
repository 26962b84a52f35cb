import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { HostList } from '@/components/hosts/host-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.hosts');
  return { title: t('title') };
}

export default function HostsPage() {
  return (
    <PageMessages areas={['hosts']}>
      <HostList />
    </PageMessages>
  );
}
