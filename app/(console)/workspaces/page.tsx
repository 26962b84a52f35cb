import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceList } from '@/components/workspaces/workspace-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('title') };
}

export default function WorkspacesPage() {
  return (
    <PageMessages areas={['workspaces']}>
      <WorkspaceList />
    </PageMessages>
  );
}
