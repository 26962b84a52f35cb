import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { GroupList } from '@/components/account/groups/group-list';
import { groupQuestion } from '@/components/account/groups/list-question';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';
import { PreloadedList, type ListPageProps } from '../preloaded-list';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.groups');
  return { title: t('title') };
}

export default async function GroupsPage({ searchParams }: ListPageProps) {
  const viewer = await getViewer();
  if (!viewer?.isAdmin) redirect(paths.users);
  return (
    <PageMessages areas={['groups']}>
      <PreloadedList question={groupQuestion} searchParams={searchParams}>
        <GroupList />
      </PreloadedList>
    </PageMessages>
  );
}
