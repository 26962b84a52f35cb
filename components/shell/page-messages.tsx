import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import type { Messages } from '@/lib/i18n-request';

/** Hands the texts of some areas to the browser, beside those that every page needs. */
export async function PageMessages({ areas, children }: { areas: (keyof Messages['pages'])[]; children: ReactNode }) {
  const { common, layout, pages } = await getMessages();
  const own = Object.fromEntries(areas.map((area) => [area, pages[area]]));
  return <NextIntlClientProvider messages={{ common, layout, pages: own }}>{children}</NextIntlClientProvider>;
}
