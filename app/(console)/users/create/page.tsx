import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { UserCreate } from '@/components/account/users/user-create';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.users');
  return { title: t('create.title') };
}

export default async function NewUserPage() {
  const viewer = await getViewer();
  if (!viewer?.isAdmin) redirect(paths.users);
  return (
    <PageMessages areas={['users']}>
      <UserCreate />
    </PageMessages>
  );
}
