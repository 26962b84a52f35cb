import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { UserList } from '@/components/account/users/user-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.users');
  return { title: t('title') };
}

export default function UsersPage() {
  return (
    <PageMessages areas={['users']}>
      <UserList />
    </PageMessages>
  );
}
