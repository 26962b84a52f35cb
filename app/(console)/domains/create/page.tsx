import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { DomainCreate } from '@/components/domains/domain-create';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.domains');
  return { title: t('create.title') };
}

export default async function NewDomainPage() {
  const viewer = await getViewer();
  if (!viewer?.isAdmin) redirect(paths.domains);
  return (
    <PageMessages areas={['domains']}>
      <DomainCreate />
    </PageMessages>
  );
}
