import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { FileList } from '@/components/files/file-list';
import { fileQuestion } from '@/components/files/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.files');
  return { title: t('title') };
}

export default function FilesPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['files']}>
      <PreloadedList question={fileQuestion} searchParams={searchParams}>
        <FileList />
      </PreloadedList>
    </PageMessages>
  );
}
