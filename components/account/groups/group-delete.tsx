'use client';

import { Shield, UsersRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { GroupRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { DeletePanel } from '@/components/records/delete-panel';
import { paths } from '@/lib/paths';
import { useGrants } from '../users/use-grants';

/** Takes a group away with all that it holds; its members stay. */
export function GroupDelete({ group }: { group: GroupRecord }) {
  const t = useTranslations('pages.groups.deletion');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const { isPending, groups } = useGrants({ group: group.id });
  const count = groups.reduce((sum, { grants }) => sum + grants.length, 0);

  async function remove() {
    await (await ready()).collection('groups').delete(group.id);
    tell.done(common('told.deleted', { name: group.name }));
    router.push(paths.groups);
    await refresh('groups');
  }

  return (
    <DeletePanel
      heading={t('heading', { name: group.name })}
      text={t('text', { count })}
      usedText=""
      button={t('button')}
      blockers={isPending ? undefined : []}
      title={t('title', { name: group.name })}
      verification={group.name}
      gone={[
        { icon: <Shield />, name: t('permissions', { count }) },
        { icon: <UsersRound />, name: t('memberships', { count: group.memberCount }) },
      ]}
      onDelete={remove}
    />
  );
}
