'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { useNow } from '@/components/data/use-now';
import { useViewer } from '@/components/data/session-provider';
import { Glyph } from '@/components/ui/glyph';
import { secondsUntil } from './terminal-notice';
import type { TerminalState } from './use-terminal';

/** How the terminal is, who looks on, and the key that leads out of it. */
export function TerminalFoot({ terminal }: { terminal: TerminalState }) {
  const t = useTranslations('pages.terminal');
  const viewer = useViewer();
  const { phase, begin, size, people } = terminal;
  const names = [...new Map(people.map(({ id, name }) => [id, id === viewer.id ? t('you', { name }) : name])).values()];
  const isLost = phase.name === 'waiting' || phase.name === 'blocked';
  return (
    <div className="border-line bg-surface text-small text-text-2 flex min-h-8 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t px-4 py-1">
      <PhaseWords terminal={terminal} />
      {begin?.program && <span className="font-mono">{begin.program}</span>}
      {size && <span className="tabular-nums">{t('sizeOf', size)}</span>}
      {begin && !begin.takesInput && <span>{t('noInput')}</span>}
      {begin && begin.owner.id !== viewer.id && <span>{t('openedBy', { name: begin.owner.name })}</span>}
      {phase.name === 'live' && people.length > 0 && (
        <span role="status">{t('watching', { count: people.length, names: names.join(', ') })}</span>
      )}
      <span className={clsx('ml-auto max-lg:ml-0', !isLost && 'max-lg:hidden')}>
        {isLost ? t('keysLost') : t('leaveKey')}
      </span>
    </div>
  );
}

function PhaseWords({ terminal: { phase } }: { terminal: TerminalState }) {
  const t = useTranslations('pages.terminal.states');
  const now = useNow();
  const words =
    phase.name === 'over'
      ? t(phase.reason, { code: phase.code ?? 'none' })
      : t(phase.name, phase.name === 'waiting' ? { seconds: secondsUntil(phase.untilMs, now) } : {});
  const kind = phase.name === 'live' ? 'up' : phase.name === 'over' ? 'off' : phase.name === 'blocked' ? 'bad' : 'busy';
  return (
    <span role="status" className="text-text flex items-center gap-1.5 font-medium">
      <Glyph kind={kind} className="size-3" />
      {words}
    </span>
  );
}
