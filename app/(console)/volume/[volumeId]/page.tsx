import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { VolumeDetail } from '@/components/volumes/volume-detail';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.volumes');
  return { title: t('one') };
}

interface Props {
  params: Promise<{ volumeId: string }>;
}

export default async function VolumePage({ params }: Props) {
  const { volumeId } = await params;
  return (
    <PageMessages areas={['volumes', 'rights', 'containerFiles']}>
      <VolumeDetail volumeId={volumeId} />
    </PageMessages>
  );
}
