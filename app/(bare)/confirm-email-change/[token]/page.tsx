import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ConfirmEmailChange } from '@/components/account/sign-in/confirm-email-change';
import { readEmailChangeLink } from '@/lib/auth/mailed-links';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.confirmEmailChange');
  return { title: t('title') };
}

export default async function ConfirmEmailChangePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <ConfirmEmailChange token={token} link={readEmailChangeLink(token)} />;
}
