import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { NetworkList } from '@/components/networks/network-list';
import { networkQuestion } from '@/components/networks/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.networks');
  return { title: t('title') };
}

export default function NetworksPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['networks']}>
      <PreloadedList question={networkQuestion} searchParams={searchParams}>
        <NetworkList />
      </PreloadedList>
    </PageMessages>
  );
}
