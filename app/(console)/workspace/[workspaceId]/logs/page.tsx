import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceLogs } from '@/components/workspaces/workspace-logs';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('logs.title') };
}

interface Props {
  params: Promise<{ workspaceId: string }>;
}

export default async function WorkspaceLogsPage({ params }: Props) {
  const { workspaceId } = await params;
  return (
    <PageMessages areas={['workspaces']}>
      <WorkspaceLogs workspaceId={workspaceId} />
    </PageMessages>
  );
}
