'use client';

import { CircleStop, ShieldAlert, Unplug } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useNow } from '@/components/data/use-now';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import type { TerminalPhase } from './terminal-link';

export function secondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
}

interface TerminalNoticeProps {
  phase: TerminalPhase;
  onTryNow: () => void;
  onAgain: () => void;
}

/** What keeps the terminal from going on, and what can be done. */
export function TerminalNotice({ phase, onTryNow, onAgain }: TerminalNoticeProps) {
  const t = useTranslations('pages.terminal');
  const now = useNow();
  if (phase.name === 'over') {
    const { reason, code, message } = phase;
    const title = t(`over.${reason}`, { code: code ?? 'none' });
    return (
      <Notice
        tone={reason === 'ended' ? 'accent' : 'bad'}
        icon={reason === 'ended' ? <CircleStop /> : <ShieldAlert />}
        actions={
          reason !== 'revoked' && (
            <Button size="sm" onClick={onAgain}>
              {t('again')}
            </Button>
          )
        }
      >
        <span className="font-medium">{title}</span>{' '}
        {message && message !== title && <span className="text-text-2 break-words">{message}</span>}
      </Notice>
    );
  }
  if (phase.name !== 'waiting' && phase.name !== 'blocked') return null;
  const seconds = secondsUntil(phase.untilMs, now);
  const isBlocked = phase.name === 'blocked';
  return (
    <Notice
      tone={isBlocked ? 'bad' : 'busy'}
      icon={<Unplug />}
      actions={
        <Button size="sm" onClick={onTryNow}>
          {t('waiting.now')}
        </Button>
      }
    >
      <span className="font-medium">{isBlocked ? t('blocked.title') : t('waiting.title', { seconds })}</span>{' '}
      <span className="text-text-2">{isBlocked ? t('blocked.text', { seconds }) : phase.why || t('waiting.text')}</span>
    </Notice>
  );
}
