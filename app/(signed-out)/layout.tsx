import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { LanguageChoice } from '@/components/shell/language-choice';
import { PageMessages } from '@/components/shell/page-messages';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { BrandMark } from '@/components/ui/brand';
import { paths } from '@/lib/paths';

export const dynamic = 'force-dynamic';

export default async function SignedOutLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations('layout');
  return (
    <PageMessages areas={['login', 'firstSteps', 'forgotPassword', 'confirmReset', 'provider', 'factor']}>
      <div className="bg-canvas grid min-h-dvh grid-rows-[56px_1fr_48px]">
        <header className="flex items-center justify-between pr-5 pl-6">
          <Link
            href={paths.login()}
            className="text-lead inline-flex items-center gap-[9px] rounded-sm font-semibold tracking-[-0.02em]"
          >
            <BrandMark />
            {t('product')}
          </Link>
          <div className="flex items-center gap-1">
            <LanguageChoice />
            <ThemeToggle />
          </div>
        </header>
        <main className="grid grid-cols-[minmax(0,1fr)] place-items-center px-5">{children}</main>
        <footer className="text-small text-text-3 flex items-center justify-center gap-2">
          <BrandMark className="size-4" />
          {t('rights')}
        </footer>
      </div>
    </PageMessages>
  );
}
