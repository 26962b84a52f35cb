'use client';

import { ServerOff, SquareTerminal } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useServerWords } from '@/components/data/server-words';
import type { HostRecord } from '@/components/data/types';
import { askKey } from '@/components/records/terminal/ask-key';
import type { TerminalAsk } from '@/components/records/terminal/terminal-link';
import { TerminalScreen } from '@/components/records/terminal/terminal-screen';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';

/** A shell of the agent's user on the host itself: asked for first, as nobody opens one by looking at a tab. */
export function HostTerminal({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.terminal');
  const say = useServerWords();
  const search = useSearchParams();
  const { terminal } = host.engine ?? {};
  const toAsk = (session: string): TerminalAsk => ({ base: `/api/host/${host.id}`, kind: 'exec', wish: {}, session });
  const [ask, setAsk] = useState<TerminalAsk | undefined>(() => {
    const session = search.get('session');
    return session ? toAsk(session) : undefined;
  });
  if (ask) {
    const again = () => setAsk(toAsk(''));
    return <TerminalScreen key={askKey(ask)} name={host.name} addresses={undefined} ask={ask} onAgain={again} />;
  }
  if (terminal?.problem) {
    const drawing = <ServerOff className="text-text-3 size-8" />;
    return <HeroState drawing={drawing} title={t('none')} text={say(terminal.problem)} />;
  }
  return (
    <div className="max-w-[660px] overflow-auto px-6 py-5 max-lg:px-4">
      <h2 className="text-lead font-semibold">{t('title', { name: host.name })}</h2>
      <p className="text-table text-text-2 mt-1">{terminal?.isContained ? t('inContainer') : t('onMachine')}</p>
      <p className="text-table text-text-2 mt-2">{t('audited')}</p>
      {host.engine?.kind === 'simulated' && <p className="text-table text-text-2 mt-2">{t('isReal')}</p>}
      {!terminal?.canResize && <p className="text-table text-text-2 mt-2">{t('fixedSize')}</p>}
      <Button variant="primary" className="mt-4" onClick={() => setAsk(toAsk(''))}>
        <SquareTerminal className="size-4" />
        {t('open')}
      </Button>
    </div>
  );
}
