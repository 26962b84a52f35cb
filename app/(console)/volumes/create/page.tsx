import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { VolumeCreate } from '@/components/volumes/volume-create';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.volumes');
  return { title: t('create.title') };
}

export default function NewVolumePage() {
  return (
    <PageMessages areas={['volumes']}>
      <VolumeCreate />
    </PageMessages>
  );
}
