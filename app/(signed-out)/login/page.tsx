import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LoginForm } from '@/components/account/login-form';
import { keepOut, type SearchParams } from '../keep-out';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.login');
  return { title: t('title') };
}

export default async function LoginPage({ searchParams }: { searchParams: SearchParams }) {
  const target = await keepOut(searchParams);
  return <LoginForm target={target} />;
}
