import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceCreate } from '@/components/workspaces/workspace-create';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('templates.create') };
}

export default function NewWorkspaceTemplatePage() {
  return (
    <PageMessages areas={['workspaces']}>
      <WorkspaceCreate isTemplate />
    </PageMessages>
  );
}
