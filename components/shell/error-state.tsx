'use client';

import { RotateCcw, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { Fold } from '@/components/ui/notice';
import { paths } from '@/lib/paths';

export interface ErrorStateProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** A page that could not be rendered. */
export function ErrorState({ error, reset }: ErrorStateProps) {
  const t = useTranslations('common');
  return (
    <div className="grid flex-1 place-items-center">
      <HeroState
        isPageTitle
        drawing={
          <span className="border-bad-line bg-bad-soft text-bad-text grid size-12 place-items-center rounded-lg border">
            <TriangleAlert className="size-[22px]" aria-hidden="true" />
          </span>
        }
        title={t('crash.title')}
        text={t('crash.text')}
        actions={
          <>
            <Button asChild>
              <Link href={paths.home}>{t('actions.home')}</Link>
            </Button>
            <Button variant="primary" onClick={reset}>
              <RotateCcw className="size-4" />
              {t('actions.retry')}
            </Button>
          </>
        }
      >
        <div className="mt-7 w-full text-left">
          <Fold summary={t('crash.details')}>{[error.message, error.digest].filter(Boolean).join('\n')}</Fold>
        </div>
      </HeroState>
    </div>
  );
}
