import type { Metadata, Viewport } from 'next';
import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getMessages, getTranslations } from 'next-intl/server';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { LimitNotice } from '@/components/data/limit-notice';
import { ServerWords } from '@/components/data/server-words';
import { EarlyInputScript } from '@/components/shell/early-input-script';
import { FirstPaintScript } from '@/components/shell/first-paint-script';
import { PreferencesKeeper } from '@/components/shell/preferences-keeper';
import { ToastArea } from '@/components/ui/toast-area';
import { getViewer } from '@/lib/auth/viewer';
import { languageOf } from '@/lib/vocabulary/languages';
import './globals.css';

export const metadata: Metadata = { title: { default: 'Berth', template: '%s · Berth' } };
export const viewport: Viewport = { width: 'device-width', initialScale: 1 };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  const t = await getTranslations('common');
  const { common, layout } = await getMessages();
  const locale = await getLocale();
  const isOfAccount = languageOf((await getViewer())?.language) !== undefined;
  return (
    <html
      lang={locale}
      data-language-of={isOfAccount ? 'account' : 'browser'}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body suppressHydrationWarning>
        <FirstPaintScript nonce={nonce} />
        <EarlyInputScript nonce={nonce} />
        <PreferencesKeeper />
        <NextIntlClientProvider messages={{ common, layout }}>
          {children}
          <ServerWords />
          <LimitNotice />
          <ToastArea label={t('toasts')} />
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
