import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { GroupCreate } from '@/components/account/groups/group-create';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.groups');
  return { title: t('create.title') };
}

export default async function NewGroupPage() {
  const viewer = await getViewer();
  if (!viewer?.isAdmin) redirect(paths.users);
  return (
    <PageMessages areas={['groups']}>
      <GroupCreate />
    </PageMessages>
  );
}
