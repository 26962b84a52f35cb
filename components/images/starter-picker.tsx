'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { STARTERS } from '@/components/records/starters';

type Starter = (typeof STARTERS)[number];

interface StarterPickerProps {
  value: string;
  onPick: (dockerfile: string) => void;
}

/** Three Dockerfiles to begin with. Text of one's own is replaced only after asking. */
export function StarterPicker({ value, onPick }: StarterPickerProps) {
  const t = useTranslations('pages.images.starters');
  const names = useTranslations('common.starters');
  const common = useTranslations('common.actions');
  const [asked, setAsked] = useState<Starter>();
  const current = STARTERS.find((starter) => starter.dockerfile.trim() === value.trim());

  function pick(starter: Starter) {
    if (current || value.trim() === '') onPick(starter.dockerfile);
    else setAsked(starter);
  }

  return (
    <div role="group" aria-labelledby="starters" className="grid gap-1.5">
      <span id="starters" className="text-table font-medium">
        {t('title')}
      </span>
      <div className="grid grid-cols-3 gap-2 max-sm:grid-cols-1">
        {STARTERS.map((starter) => (
          <button
            key={starter.key}
            type="button"
            aria-pressed={starter === current}
            onClick={() => pick(starter)}
            className={clsx(
              'text-table min-h-9 rounded-md border px-3 py-2 text-left transition-colors',
              starter === current
                ? 'border-accent bg-accent-soft'
                : 'border-line-strong bg-surface shadow-control hover:bg-sunken',
            )}
          >
            <span className="block font-medium">{names(starter.key)}</span>
            <span className="text-small text-text-3 block">
              {t.rich(`${starter.key}.text`, { mono: (chunks) => <span className="mono">{chunks}</span> })}
            </span>
          </button>
        ))}
      </div>
      <Dialog
        isOpen={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title={t('replaceTitle')}
        closeLabel={common('close')}
        actions={
          <>
            <Button onClick={() => setAsked(undefined)}>{t('keep')}</Button>
            <Button
              variant="primary"
              onClick={() => {
                if (asked) onPick(asked.dockerfile);
                setAsked(undefined);
              }}
            >
              {t('replace')}
            </Button>
          </>
        }
      >
        <p className="text-table text-text-2">{asked && t('replaceText', { name: names(asked.key) })}</p>
      </Dialog>
    </div>
  );
}
