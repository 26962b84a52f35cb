import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { ImageList } from '@/components/images/image-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.images');
  return { title: t('title') };
}

export default function ImagesPage() {
  return (
    <PageMessages areas={['images']}>
      <ImageList />
    </PageMessages>
  );
}
