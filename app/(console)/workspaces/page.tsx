import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceList } from '@/components/workspaces/workspace-list';
import { workspaceQuestion } from '@/components/workspaces/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('title') };
}

export default function WorkspacesPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['workspaces']}>
      <PreloadedList question={workspaceQuestion} searchParams={searchParams}>
        <WorkspaceList />
      </PreloadedList>
    </PageMessages>
  );
}
