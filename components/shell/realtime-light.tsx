'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { useRealtime } from '@/components/data/session-provider';
import { useNow } from '@/components/data/use-now';

const dots = {
  live: 'bg-ok ring-ok-soft',
  connecting: 'bg-busy ring-busy-soft',
  waiting: 'bg-busy ring-busy-soft',
  paused: 'bg-line-control ring-active',
};

/** Whether what is shown follows what happens. A click holds it back, another one lets it go on. */
export function RealtimeLight() {
  const t = useTranslations('layout.realtime');
  const { state, setPaused } = useRealtime();
  const now = useNow();
  const isPaused = state.kind === 'paused';
  const words =
    state.kind === 'waiting'
      ? t('waiting', { seconds: Math.max(1, Math.ceil((state.retryAtMs - now) / 1000)) })
      : t(state.kind);
  return (
    <button
      type="button"
      aria-pressed={isPaused}
      title={isPaused ? t('resume') : t('pause')}
      onClick={() => setPaused(!isPaused)}
      className="rounded-ctl text-small text-text-2 hover:bg-hover inline-flex h-7 items-center gap-[7px] px-2 whitespace-nowrap max-lg:size-9 max-lg:justify-center max-lg:px-0"
    >
      <span aria-hidden="true" className={clsx('size-[7px] rounded-full ring-3', dots[state.kind])} />
      <span role="status" className="max-lg:sr-only">
        {words}
      </span>
    </button>
  );
}
