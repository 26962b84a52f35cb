import { getTranslations } from 'next-intl/server';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { LanguageChoice } from '@/components/shell/language-choice';
import { PageMessages } from '@/components/shell/page-messages';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { BrandMark } from '@/components/ui/brand';
import { paths } from '@/lib/paths';

export const dynamic = 'force-dynamic';

/** For pages that are reached signed in and signed out alike. */
export default async function BareLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations('layout');
  return (
    <PageMessages areas={['confirmVerification', 'confirmEmailChange', 'provider', 'verify']}>
      <div className="bg-canvas grid min-h-dvh grid-rows-[56px_1fr_56px]">
        <header className="flex items-center justify-between pr-5 pl-6">
          <Link
            href={paths.home}
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
      </div>
    </PageMessages>
  );
}
