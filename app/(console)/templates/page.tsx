import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ImageTemplateCard } from '@/components/images/image-template-card';
import { PageHead } from '@/components/records/page-head';
import { PageMessages } from '@/components/shell/page-messages';
import { WorkspaceTemplateCard } from '@/components/workspaces/workspace-template-card';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('common.templates');
  return { title: t('title') };
}

export default async function TemplatesPage() {
  const t = await getTranslations('common.templates');
  return (
    <PageMessages areas={['workspaces', 'images']}>
      <PageHead title={t('title')} />
      <div className="grid grid-cols-2 items-start gap-3.5 overflow-auto px-6 pb-6 max-lg:grid-cols-1 max-lg:px-4">
        <WorkspaceTemplateCard />
        <ImageTemplateCard />
      </div>
    </PageMessages>
  );
}
