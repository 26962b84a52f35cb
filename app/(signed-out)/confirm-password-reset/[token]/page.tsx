import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ResetPasswordForm } from '@/components/account/sign-in/reset-password-form';
import { readResetLink } from '@/lib/auth/mailed-links';
import { keepOut, type SearchParams } from '../../keep-out';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.confirmReset');
  return { title: t('title') };
}

interface Props {
  params: Promise<{ token: string }>;
  searchParams: SearchParams;
}

export default async function ConfirmPasswordResetPage({ params, searchParams }: Props) {
  await keepOut(searchParams);
  const { token } = await params;
  const { state, isAdmin } = readResetLink(token);
  return <ResetPasswordForm token={token} isAdmin={isAdmin} isDead={state === 'dead'} />;
}
