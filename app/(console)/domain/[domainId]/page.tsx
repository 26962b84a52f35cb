import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { DomainDetail } from '@/components/domains/domain-detail';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.domains');
  return { title: t('one') };
}

interface Props {
  params: Promise<{ domainId: string }>;
}

export default async function DomainPage({ params }: Props) {
  const { domainId } = await params;
  return (
    <PageMessages areas={['domains', 'rights', 'addressChecks']}>
      <DomainDetail domainId={domainId} />
    </PageMessages>
  );
}
