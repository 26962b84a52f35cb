import { getRequestConfig } from 'next-intl/server';
import { cookies, headers } from 'next/headers';
import common from '@/messages/en/common.json';
import layout from '@/messages/en/layout.json';
import pages from '@/messages/en/pages.json';
import huCommon from '@/messages/hu/common.json';
import huLayout from '@/messages/hu/layout.json';
import huPages from '@/messages/hu/pages.json';
import { getViewer } from '@/lib/auth/viewer';
import { acceptedLanguage, LANGUAGE_COOKIE, languageOf, LANGUAGES, type Language } from '@/lib/vocabulary/languages';

const en = { common, layout, pages };
export type Messages = typeof en;

const messages: Readonly<Record<Language, Messages>> = {
  en,
  hu: { common: huCommon, layout: huLayout, pages: huPages },
};

/**
 * The language of the account, else the one that was chosen in this browser, else the first that the browser asks for. No
 * language in addresses. Times are shown in the viewer's own zone, so pages format them in the browser.
 */
export default getRequestConfig(async () => {
  const chosen = languageOf((await getViewer())?.language) ?? languageOf((await cookies()).get(LANGUAGE_COOKIE)?.value);
  const locale = chosen ?? acceptedLanguage((await headers()).get('accept-language')) ?? LANGUAGES[0];
  return { locale, timeZone: 'UTC', messages: messages[locale] };
});
