import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceTemplateList } from '@/components/workspaces/workspace-template-list';
import { templateQuestion } from '@/components/workspaces/template-question';
import { PreloadedList, type ListPageProps } from '../../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('templates.title') };
}

export default function WorkspaceTemplatesPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['workspaces']}>
      <PreloadedList question={templateQuestion} searchParams={searchParams}>
        <WorkspaceTemplateList />
      </PreloadedList>
    </PageMessages>
  );
}
