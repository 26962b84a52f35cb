import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PageMessages } from '@/components/shell/page-messages';
import { UserList } from '@/components/account/users/user-list';
import { userQuestion } from '@/components/account/users/list-question';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.users');
  return { title: t('title') };
}

export default function UsersPage({ searchParams }: ListPageProps) {
  return (
    <PageMessages areas={['users']}>
      <PreloadedList question={userQuestion} searchParams={searchParams}>
        <UserList />
      </PreloadedList>
    </PageMessages>
  );
}
