'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { QuayDrawing } from '@/components/ui/brand';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { paths } from '@/lib/paths';

export function NotFoundState() {
  const t = useTranslations('common');
  const router = useRouter();
  return (
    <div className="grid flex-1 place-items-center">
      <HeroState
        isPageTitle
        drawing={<QuayDrawing />}
        code="404"
        title={t('notFound.title')}
        text={t('notFound.text')}
        actions={
          <>
            <Button onClick={() => router.back()}>
              <ArrowLeft className="size-4" />
              {t('actions.back')}
            </Button>
            <Button asChild variant="primary">
              <Link href={paths.home}>{t('actions.home')}</Link>
            </Button>
          </>
        }
      />
    </div>
  );
}
