import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { HostDetail } from '@/components/hosts/host-detail';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.hosts');
  return { title: t('one') };
}

interface Props {
  params: Promise<{ hostId: string }>;
}

export default async function HostPage({ params }: Props) {
  const { hostId } = await params;
  return (
    <PageMessages areas={['hosts', 'rights', 'terminal']}>
      <HostDetail hostId={hostId} />
    </PageMessages>
  );
}
