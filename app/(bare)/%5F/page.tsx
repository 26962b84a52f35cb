import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PopupEnd } from '@/components/account/sign-in/popup-end';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.provider.callback');
  return { title: t('title') };
}

/** Where `/api/oauth2-redirect` sends the window of a client of the record API. */
export default function PopupEndPage() {
  return <PopupEnd />;
}
