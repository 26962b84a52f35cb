import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { UserDetail } from '@/components/account/users/user-detail';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { env } from '@/lib/env';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.users');
  return { title: t('user') };
}

export default async function UserPage({ params }: { params: Promise<{ userId: string }> }) {
  const { userId } = await params;
  const viewer = await getViewer();
  if (viewer?.id === userId) redirect(paths.profile);
  return (
    <PageMessages areas={['users', 'factor', 'security', 'rights', 'quotas']}>
      <UserDetail userId={userId} hasMailServer={env().smtpUrl !== undefined} />
    </PageMessages>
  );
}
