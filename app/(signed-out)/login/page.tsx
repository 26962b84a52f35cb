import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LoginForm } from '@/components/account/sign-in/login-form';
import { ProviderSignIn } from '@/components/account/sign-in/provider-sign-in';
import { ssoProvider } from '@/lib/settings/sso-provider';
import { keepOut, type SearchParams } from '../keep-out';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.login');
  return { title: t('title') };
}

export default async function LoginPage({ searchParams }: { searchParams: SearchParams }) {
  const target = await keepOut(searchParams);
  const provider = ssoProvider();
  return (
    <LoginForm target={target}>
      {provider && <ProviderSignIn displayName={provider.displayName} target={target} />}
    </LoginForm>
  );
}
