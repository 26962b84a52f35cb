import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceDetail } from '@/components/workspaces/workspace-detail';
import { appsPlace } from '@/lib/settings/apps-place';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('one') };
}

interface Props {
  params: Promise<{ workspaceId: string }>;
}

export default async function WorkspacePage({ params }: Props) {
  const { workspaceId } = await params;
  return (
    <PageMessages areas={['workspaces', 'rights', 'addressChecks']}>
      <WorkspaceDetail workspaceId={workspaceId} apps={appsPlace()} />
    </PageMessages>
  );
}
