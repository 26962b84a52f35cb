import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceCreate } from '@/components/workspaces/workspace-create';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('create.title') };
}

export default function NewWorkspacePage() {
  return (
    <PageMessages areas={['workspaces', 'quotas']}>
      <WorkspaceCreate />
    </PageMessages>
  );
}
