import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { LoginForm } from '@/components/account/login-form';
import { safeRedirect } from '@/components/account/safe-redirect';
import { getViewer } from '@/lib/auth/viewer';
import { isSetupNeeded } from '@/lib/commands/finish-setup';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.login');
  return { title: t('title') };
}

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function LoginPage({ searchParams }: Props) {
  const target = safeRedirect((await searchParams)['redirect']);
  if (isSetupNeeded()) redirect(paths.firstSteps);
  if (await getViewer()) redirect(target);
  return <LoginForm target={target} />;
}
