'use client';

import { Ban, CircleAlert, CircleCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { BusyArc } from '@/components/ui/glyph';
import { Notice } from '@/components/ui/notice';
import type { Check } from './use-check';

interface CheckResultProps {
  check: Check;
  /** The lists are others by now. */
  isStale: boolean;
  onCancel: () => void;
}

/** How far a check is, and what came of it. */
export function CheckResult({ check, isStale, onCancel }: CheckResultProps) {
  const t = useTranslations('pages.images.check');
  const common = useTranslations('common.actions');
  const { state, message, log } = check;
  if (state === 'idle') return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div role="status">
        {state === 'running' && (
          <Notice
            tone="busy"
            icon={<BusyArc />}
            actions={
              <Button size="sm" onClick={onCancel}>
                {common('cancel')}
              </Button>
            }
          >
            {t('running')}
          </Notice>
        )}
        {state === 'fine' && (
          <Notice tone="accent" icon={<CircleCheck aria-hidden="true" />}>
            {t('fine')}
          </Notice>
        )}
        {state === 'failed' && (
          <Notice tone="bad" icon={<CircleAlert aria-hidden="true" />}>
            <p className="font-medium">{t('failed')}</p>
            <p className="break-words whitespace-pre-wrap">{message || t('unsaid')}</p>
          </Notice>
        )}
        {state === 'cancelled' && (
          <Notice tone="warn" icon={<Ban aria-hidden="true" />}>
            {t('cancelled')}
          </Notice>
        )}
      </div>
      {isStale && state !== 'running' && <p className="text-small text-text-2">{t('stale')}</p>}
      {log !== '' && (
        <details className="text-table">
          <summary className="text-small text-text-2 inline-flex items-center gap-1 rounded-sm font-medium max-lg:min-h-9">
            {t('log')}
          </summary>
          <pre
            tabIndex={0}
            role="region"
            aria-label={t('log')}
            className="mono border-line bg-sunken mt-1.5 max-h-60 overflow-auto rounded-md border px-3 py-2 break-words whitespace-pre-wrap"
          >
            {log}
          </pre>
        </details>
      )}
    </div>
  );
}
