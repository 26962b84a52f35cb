import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { HostList } from '@/components/hosts/host-list';
import { consolePublicKey } from '@/lib/hosts/link/console-key';
import { env } from '@/lib/env';
import { hostQuestion } from '@/components/hosts/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.hosts');
  return { title: t('title') };
}

export default function HostsPage({ searchParams }: ListPageProps) {
  const { publicUrl, agentImage } = env();
  return (
    <PageMessages areas={['hosts']}>
      <PreloadedList question={hostQuestion} searchParams={searchParams}>
        <HostList offer={{ publicUrl, agentImage, consoleKey: consolePublicKey() }} />
      </PreloadedList>
    </PageMessages>
  );
}
