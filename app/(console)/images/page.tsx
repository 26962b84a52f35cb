import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { ImageList } from '@/components/images/image-list';
import { imageQuestion } from '@/components/images/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.images');
  return { title: t('title') };
}

export default function ImagesPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['images']}>
      <PreloadedList question={imageQuestion} searchParams={searchParams}>
        <ImageList />
      </PreloadedList>
    </PageMessages>
  );
}
