import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceFiles } from '@/components/workspaces/files/workspace-files';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.containerFiles');
  return { title: t('title') };
}

interface Props {
  params: Promise<{ workspaceId: string }>;
}

export default async function WorkspaceFilesPage({ params }: Props) {
  const { workspaceId } = await params;
  return (
    <PageMessages areas={['workspaces', 'containerFiles']}>
      <WorkspaceFiles workspaceId={workspaceId} />
    </PageMessages>
  );
}
