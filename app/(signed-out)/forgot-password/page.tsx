import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ForgotPasswordForm } from '@/components/account/sign-in/forgot-password-form';
import { env } from '@/lib/env';
import { keepOut, type SearchParams } from '../keep-out';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.forgotPassword');
  return { title: t('title') };
}

export default async function ForgotPasswordPage({ searchParams }: { searchParams: SearchParams }) {
  await keepOut(searchParams);
  return <ForgotPasswordForm hasMailServer={env().smtpUrl !== undefined} />;
}
