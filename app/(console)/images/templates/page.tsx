import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { ImageTemplateList } from '@/components/images/image-template-list';
import { templateQuestion } from '@/components/images/template-question';
import { PreloadedList, type ListPageProps } from '../../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.images');
  return { title: t('templates.title') };
}

export default function ImageTemplatesPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['images']}>
      <PreloadedList question={templateQuestion} searchParams={searchParams}>
        <ImageTemplateList />
      </PreloadedList>
    </PageMessages>
  );
}
