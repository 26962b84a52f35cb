import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { SettingsView } from '@/components/settings/settings-view';
import { PageMessages } from '@/components/shell/page-messages';
import { getViewer } from '@/lib/auth/viewer';
import { ssoRedirectUrl } from '@/lib/settings/check-sso';
import { readConsoleFacts } from '@/lib/settings/console-facts';
import { hasSsoSecret } from '@/lib/settings/sso-provider';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.settings');
  return { title: t('title') };
}

export default async function SettingsPage() {
  const viewer = await getViewer();
  if (!viewer?.isAdmin) redirect(paths.users);
  return (
    <PageMessages areas={['settings', 'quotas']}>
      <SettingsView facts={await readConsoleFacts()} hasSecret={hasSsoSecret()} redirectUrl={ssoRedirectUrl()} />
    </PageMessages>
  );
}
