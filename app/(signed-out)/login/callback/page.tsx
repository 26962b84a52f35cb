import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ProviderCallback } from '@/components/account/sign-in/provider-callback';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.provider.callback');
  return { title: t('title') };
}

/** Open to signed-in people too: linking an account ends here as well. */
export default function LoginCallbackPage() {
  return <ProviderCallback />;
}
