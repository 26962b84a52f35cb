import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { NetworkCreate } from '@/components/networks/network-create';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.networks');
  return { title: t('create.title') };
}

export default function NewNetworkPage() {
  return (
    <PageMessages areas={['networks']}>
      <NetworkCreate />
    </PageMessages>
  );
}
