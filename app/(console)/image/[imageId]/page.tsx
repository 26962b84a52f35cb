import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { ImageDetail } from '@/components/images/image-detail';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.images');
  return { title: t('one') };
}

interface Props {
  params: Promise<{ imageId: string }>;
}

export default async function ImagePage({ params }: Props) {
  const { imageId } = await params;
  return (
    <PageMessages areas={['images', 'rights']}>
      <ImageDetail imageId={imageId} />
    </PageMessages>
  );
}
