import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { DomainList } from '@/components/domains/domain-list';
import { domainQuestion } from '@/components/domains/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.domains');
  return { title: t('title') };
}

export default function DomainsPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['domains']}>
      <PreloadedList question={domainQuestion} searchParams={searchParams}>
        <DomainList />
      </PreloadedList>
    </PageMessages>
  );
}
