import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { AuditList } from '@/components/audit/audit-list';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.audit');
  return { title: t('title') };
}

export default async function AuditPage() {
  const viewer = await getViewer();
  if (!viewer?.isAdmin) redirect(paths.users);
  return (
    <PageMessages areas={['audit']}>
      <AuditList />
    </PageMessages>
  );
}
