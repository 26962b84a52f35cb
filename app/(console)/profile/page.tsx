import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Profile } from '@/components/account/profile/profile';
import { PageMessages } from '@/components/shell/page-messages';
import { env } from '@/lib/env';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.profile');
  return { title: t('title') };
}

export default function ProfilePage() {
  return (
    <PageMessages areas={['provider', 'profile', 'factor', 'security', 'quotas']}>
      <Profile hasMailServer={env().smtpUrl !== undefined} />
    </PageMessages>
  );
}
