import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { VolumeList } from '@/components/volumes/volume-list';
import { volumeQuestion } from '@/components/volumes/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.volumes');
  return { title: t('title') };
}

export default function VolumesPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['volumes']}>
      <PreloadedList question={volumeQuestion} searchParams={searchParams}>
        <VolumeList />
      </PreloadedList>
    </PageMessages>
  );
}
