import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ConfirmVerification } from '@/components/account/sign-in/confirm-verification';
import { readVerificationLink } from '@/lib/auth/mailed-links';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.confirmVerification');
  return { title: t('title') };
}

export default async function ConfirmVerificationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <ConfirmVerification token={token} link={readVerificationLink(token)} />;
}
