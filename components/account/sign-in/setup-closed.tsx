import { DoorClosed } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { CopyButton } from '@/components/ui/copy-button';
import { HeroState } from '@/components/ui/hero-state';

const RESTART = 'docker compose restart';

/** In place of the set-up form once its time is over. */
export function SetupClosed({ minutes }: { minutes: number }) {
  const t = useTranslations('pages.firstSteps.closed');
  const common = useTranslations('common.actions');
  return (
    <HeroState
      isPageTitle
      drawing={<DoorClosed className="text-text-3 size-8" aria-hidden="true" />}
      title={t('title')}
      text={t('text', { minutes })}
    >
      <p className="text-table text-text-2 mt-5 flex flex-wrap items-center justify-center gap-2">
        {t('command')}
        <code className="mono border-line bg-sunken rounded-ctl border px-2 py-1">{RESTART}</code>
        <CopyButton isIcon text={RESTART} label={common('copy')} copiedLabel={common('copied')} />
      </p>
    </HeroState>
  );
}
