'use client';

import { AArrowDown, AArrowUp, ChevronDown, ChevronUp, Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState, type Ref } from 'react';
import { setPreferences, type Preferences } from '@/components/data/preferences';
import { LogSwitch } from '@/components/records/log-toolbar';
import { Button, IconButton } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { AffixInput } from '@/components/ui/input';

const SMALLEST = 9;
const LARGEST = 24;

interface TerminalBarProps {
  kind: 'exec' | 'attach';
  preferences: Preferences;
  hits: { current: number; count: number };
  isLive: boolean;
  /** Where the focus goes that leaves the terminal. */
  searchRef: Ref<HTMLInputElement>;
  onSearch: (text: string, direction: 1 | -1, isTyping?: boolean) => void;
  onEnd: () => void;
}

/** Search, the look of the text, and the ways out of a session. */
export function TerminalBar({ kind, preferences, hits, isLive, searchRef, onSearch, onEnd }: TerminalBarProps) {
  const t = useTranslations('pages.terminal');
  const [text, setText] = useState('');
  const { terminalFontSize: size, terminalCopiesSelection: copies, terminalIsRead: isRead } = preferences;
  const find = (direction: 1 | -1) => () => onSearch(text, direction);
  return (
    <div className="border-line flex min-h-[49px] shrink-0 flex-wrap items-center gap-2 border-b px-6 py-2 max-lg:px-4">
      <AffixInput
        ref={searchRef}
        size="sm"
        isMono
        frameClassName="w-[240px] max-lg:w-full"
        aria-label={t('search')}
        placeholder={t('search')}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onSearch(event.target.value, 1, true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSearch(text, event.shiftKey ? -1 : 1);
        }}
        before={<Search className="text-text-3 size-4" aria-hidden="true" />}
        after={
          <span role="status" className="text-small text-text-3 shrink-0 tabular-nums">
            {text && t('hits', hits)}
          </span>
        }
      />
      <IconButton size="sm" label={t('previous')} disabled={hits.count === 0} onClick={find(-1)}>
        <ChevronUp className="size-4" />
      </IconButton>
      <IconButton size="sm" label={t('next')} disabled={hits.count === 0} onClick={find(1)}>
        <ChevronDown className="size-4" />
      </IconButton>
      <span aria-hidden="true" className="bg-line-strong mx-0.5 h-5 w-px max-lg:hidden" />
      <span className="flex items-center">
        <IconButton
          size="sm"
          label={t('smaller')}
          disabled={size <= SMALLEST}
          onClick={() => setPreferences({ terminalFontSize: size - 1 })}
        >
          <AArrowDown className="size-4" />
        </IconButton>
        <span className="text-small text-text-2 w-6 text-center tabular-nums">{size}</span>
        <IconButton
          size="sm"
          label={t('larger')}
          disabled={size >= LARGEST}
          onClick={() => setPreferences({ terminalFontSize: size + 1 })}
        >
          <AArrowUp className="size-4" />
        </IconButton>
      </span>
      <LogSwitch
        label={t('copies')}
        checked={copies}
        onChange={(isOn) => setPreferences({ terminalCopiesSelection: isOn })}
      />
      <LogSwitch label={t('read')} checked={isRead} onChange={(isOn) => setPreferences({ terminalIsRead: isOn })} />
      <span className="ml-auto flex items-center gap-2 max-lg:ml-0">
        <CopyButton text={() => window.location.href} label={t('share')} copiedLabel={t('shared')} />
        <Button size="sm" variant="danger" disabled={!isLive} onClick={onEnd}>
          {kind === 'exec' ? t('endSession') : t('detach')}
        </Button>
      </span>
    </div>
  );
}
