import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { NetworkDetail } from '@/components/networks/network-detail';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.networks');
  return { title: t('one') };
}

interface Props {
  params: Promise<{ networkId: string }>;
}

export default async function NetworkPage({ params }: Props) {
  const { networkId } = await params;
  return (
    <PageMessages areas={['networks', 'rights']}>
      <NetworkDetail networkId={networkId} />
    </PageMessages>
  );
}
