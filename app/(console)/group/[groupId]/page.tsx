import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { GroupDetail } from '@/components/account/groups/group-detail';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.groups');
  return { title: t('one') };
}

export default async function GroupPage({ params }: { params: Promise<{ groupId: string }> }) {
  const { groupId } = await params;
  const viewer = await getViewer();
  if (!viewer?.isAdmin) redirect(paths.users);
  return (
    <PageMessages areas={['groups', 'users', 'quotas']}>
      <GroupDetail groupId={groupId} />
    </PageMessages>
  );
}
