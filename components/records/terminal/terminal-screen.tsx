'use client';

import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { setPreferences, usePreferences, type Preferences } from '@/components/data/preferences';
import type { WorkspaceAddress } from '../addresses';
import { useFormats } from '../use-formats';
import { Button } from '@/components/ui/button';
import { copyText } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { targetOf } from './local-link';
import { TerminalBar } from './terminal-bar';
import { TerminalFoot } from './terminal-foot';
import type { TerminalAsk } from './terminal-link';
import { TerminalNotice } from './terminal-notice';
import { useTerminal } from './use-terminal';

interface TerminalScreenProps {
  /** Of what the terminal is in. */
  name: string;
  /** Where what listens there is reached; undefined where links to it lead nowhere from here. */
  addresses: readonly WorkspaceAddress[] | undefined;
  ask: TerminalAsk;
  /** Another session instead of this one. */
  onAgain: () => void;
}

/** One session: its bar, the terminal, and how it is. */
export function TerminalScreen(props: TerminalScreenProps) {
  const preferences = usePreferences();
  return preferences && <Screen {...props} preferences={preferences} />;
}

function Screen({ name, addresses, ask, onAgain, preferences }: TerminalScreenProps & { preferences: Preferences }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.terminal');
  const place = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [doubtful, setDoubtful] = useState('');
  const [unpublished, setUnpublished] = useState<number>();
  const terminal = useTerminal(place, {
    ask,
    label: t('label', { name }),
    fontSize: preferences.terminalFontSize,
    isRead: preferences.terminalIsRead,
    skippedText: (count) => t('skipped', { size: bytes(count) }),
    onLeave: () => search.current?.focus(),
    onSelect: (text) => {
      if (preferences.terminalCopiesSelection) void copySelection(text);
    },
    onLink(text, isHidden) {
      const target = targetOf(text, addresses ?? []);
      setUnpublished(addresses && target.kind === 'unpublished' ? target.port : undefined);
      if (target.kind === 'open' && isHidden) setDoubtful(target.url);
      else if (target.kind === 'open') openAddress(target.url);
    },
  });
  const { link, view, phase } = terminal;

  return (
    <>
      <TerminalBar
        kind={ask.kind}
        preferences={preferences}
        hits={terminal.hits}
        isLive={phase.name === 'live'}
        searchRef={search}
        onSearch={(text, direction, isTyping) => view.current?.search(text, direction, isTyping)}
        onEnd={() => link.current?.end()}
      />
      <div className="grid gap-2 px-4 not-empty:py-2">
        <TerminalNotice phase={phase} onTryNow={() => link.current?.tryNow()} onAgain={onAgain} />
        {unpublished !== undefined && (
          <p role="status" className="text-small text-warn-text flex items-center gap-2">
            {t('unpublished', { port: unpublished })}
            <Button size="sm" variant="ghost" onClick={() => setUnpublished(undefined)}>
              {t('closeNotice')}
            </Button>
          </p>
        )}
      </div>
      <section
        aria-label={t('label', { name })}
        className="bg-term flex min-h-40 min-w-0 flex-1 overflow-hidden px-4 py-2"
      >
        <div ref={place} className="min-w-0 flex-1 overflow-hidden font-mono" />
      </section>
      <TerminalFoot terminal={terminal} />
      {doubtful && <DoubtfulLink url={doubtful} onClose={() => setDoubtful('')} />}
    </>
  );
}

/** A link whose words are not its address is opened once its address was read. */
function DoubtfulLink({ url, onClose }: { url: string; onClose: () => void }) {
  const t = useTranslations('pages.terminal.link');
  const common = useTranslations('common.actions');
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            variant="primary"
            onClick={() => {
              openAddress(url);
              onClose();
            }}
          >
            {t('open')}
          </Button>
        </>
      }
    >
      <div className="text-table grid gap-2">
        <p>{t('text')}</p>
        <p className="font-mono break-all">{url}</p>
      </div>
    </Dialog>
  );
}

function openAddress(url: string): void {
  setPreferences({ hasOpenedWorkspace: true });
  window.open(url, '_blank', 'noopener,noreferrer');
}

/** The focus stays in the terminal, whichever way the browser copies. */
async function copySelection(text: string): Promise<void> {
  const focused = document.activeElement;
  await copyText(text).catch(() => undefined);
  if (focused instanceof HTMLElement) focused.focus();
}
