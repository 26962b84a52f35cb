import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { SideBySideLogs } from '@/components/workspaces/side-by-side-logs';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.workspaces');
  return { title: t('logs.together.title') };
}

export default function SideBySideLogsPage() {
  return (
    <PageMessages areas={['workspaces']}>
      <SideBySideLogs />
    </PageMessages>
  );
}
