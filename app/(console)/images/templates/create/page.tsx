import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { ImageCreate } from '@/components/images/image-create';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.images');
  return { title: t('templates.create') };
}

export default function NewImageTemplatePage() {
  return (
    <PageMessages areas={['images']}>
      <ImageCreate isTemplate />
    </PageMessages>
  );
}
