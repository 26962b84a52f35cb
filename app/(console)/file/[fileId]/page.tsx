import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { FileDetail } from '@/components/files/file-detail';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.files');
  return { title: t('one') };
}

interface Props {
  params: Promise<{ fileId: string }>;
}

export default async function FilePage({ params }: Props) {
  const { fileId } = await params;
  return (
    <PageMessages areas={['files', 'rights']}>
      <FileDetail fileId={fileId} />
    </PageMessages>
  );
}
