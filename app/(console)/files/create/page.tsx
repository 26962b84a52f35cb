import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { FileCreate } from '@/components/files/file-create';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.files');
  return { title: t('create.title') };
}

export default function NewFilePage() {
  return (
    <PageMessages areas={['files']}>
      <FileCreate />
    </PageMessages>
  );
}
