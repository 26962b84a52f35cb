'use client';

import * as DialogPrimitive from '@radix-ui/react-dialog';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState, type KeyboardEvent } from 'react';
import { useLeaving } from '@/components/data/leaving';
import { Kbd } from '@/components/ui/parts';
import { CommandGroup, PaletteResults } from './palette-results';
import { useCommands, type PaletteCommand } from './use-commands';
import { useFoundRecords } from './use-found-records';
import { useRecordCommands } from './use-record-commands';

interface PaletteProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onHelp: () => void;
}

/** One box for everything: go somewhere, find a record by name, act on it. */
export function Palette({ isOpen, onOpenChange, onHelp }: PaletteProps) {
  const t = useTranslations('layout.palette');
  return (
    <DialogPrimitive.Root open={isOpen} onOpenChange={onOpenChange}>
      <DialogPrimitive.Portal>
        <DialogPrimitive.Overlay className="animate-appear bg-scrim fixed inset-0 z-40 grid items-start justify-items-center overflow-y-auto px-3 pt-[12vh] pb-6 max-sm:pt-3">
          <DialogPrimitive.Content
            aria-describedby={undefined}
            className="border-line-strong bg-raised shadow-dialog w-full max-w-[640px] overflow-hidden rounded-lg border"
          >
            <DialogPrimitive.Title className="sr-only">{t('title')}</DialogPrimitive.Title>
            <PaletteBody onClose={() => onOpenChange(false)} onHelp={onHelp} />
          </DialogPrimitive.Content>
        </DialogPrimitive.Overlay>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  );
}

function PaletteBody({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const t = useTranslations('layout.palette');
  const leaving = useLeaving();
  const [text, setText] = useState('');
  const [moved, setMoved] = useState({ value: '', topId: '' });
  /** The record whose acts alone are listed, after Tab. */
  const [pinnedId, setPinnedId] = useState<string>();
  const found = useFoundRecords(text);
  const { go, act } = useCommands(onHelp);
  const commandsOf = useRecordCommands();
  const search = text.trim();
  const actable = [...found.workspaces, ...found.images];
  const pinned = actable.find((record) => record.id === pinnedId);
  const subject = pinned ?? (search ? actable[0] : undefined);
  const matching = (commands: PaletteCommand[]) =>
    commands.filter((command) => command.label.toLowerCase().includes(search.toLowerCase()));
  const actions = commandsOf(subject);
  const ids = pinned
    ? actions.map((command) => command.id)
    : [...actable, ...found.hosts, ...found.users]
        .map((record) => `${record.collectionName}:${record.id}`)
        .concat(found.others.flatMap(({ area, rows }) => rows.map(({ id }) => `${area}:${id}`)))
        .concat([...matching(go), ...matching(act)].map((command) => command.id));
  // Whatever comes to the top is marked, until the arrow keys or the pointer say otherwise.
  const topId = ids[0] ?? '';
  const value = moved.topId === topId ? moved.value : topId;

  function visit(href: string) {
    onClose();
    leaving.go(href);
  }
  function perform(command: PaletteCommand) {
    onClose();
    if (command.href) leaving.go(command.href);
    else command.run?.();
  }
  function onKeyDown(event: KeyboardEvent) {
    const record = actable.find((each) => value === `${each.collectionName}:${each.id}`);
    if (event.key === 'Tab' && !event.shiftKey && record) {
      event.preventDefault();
      setPinnedId(record.id);
    } else if (pinned && (event.key === 'Backspace' || event.key === 'Escape')) {
      event.preventDefault();
      event.stopPropagation();
      setPinnedId(undefined);
    }
  }

  return (
    <Command
      label={t('title')}
      shouldFilter={false}
      loop
      value={value}
      onValueChange={(next) => setMoved({ value: next, topId })}
      onKeyDown={onKeyDown}
    >
      <div className="border-line flex h-[50px] items-center gap-2.5 border-b px-4">
        <Search className="text-text-3 size-4" aria-hidden="true" />
        <Command.Input
          value={text}
          onValueChange={(next) => {
            setText(next);
            setPinnedId(undefined);
          }}
          placeholder={t('placeholder')}
          className="placeholder:text-text-3 h-full min-w-0 flex-1 bg-transparent text-base shadow-none focus-visible:shadow-none"
        />
        <Kbd>esc</Kbd>
      </div>
      <p role="status" className="sr-only">
        {found.isSearching ? '' : t('found', { count: ids.length })}
      </p>
      <Command.List label={t('results')} className="max-h-[min(440px,60vh)] overflow-y-auto px-1.5 pb-1.5">
        {pinned ? (
          <CommandGroup heading={t('actionsOn', { name: pinned.name })} commands={actions} onCommand={perform} />
        ) : (
          <>
            <PaletteResults
              found={found}
              search={search}
              subject={subject}
              actions={actions}
              onGo={visit}
              onCommand={perform}
            />
            <CommandGroup heading={t('goTo')} commands={matching(go)} search={search} onCommand={perform} />
            <CommandGroup heading={t('commands')} commands={matching(act)} search={search} onCommand={perform} />
          </>
        )}
        {ids.length === 0 && (
          <Command.Empty className="text-table text-text-2 px-2.5 py-6 text-center">
            {found.isSearching ? t('searching') : t('nothing', { search })}
          </Command.Empty>
        )}
      </Command.List>
      <PaletteFoot />
    </Command>
  );
}

function PaletteFoot() {
  const t = useTranslations('layout.palette');
  return (
    <div
      aria-hidden="true"
      className="border-line text-small text-text-3 flex h-9 items-center gap-4 border-t px-3.5 max-lg:hidden"
    >
      <span className="flex items-center gap-1.5">
        <Kbd>↑</Kbd>
        <Kbd>↓</Kbd>
        {t('move')}
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>↵</Kbd>
        {t('open')}
      </span>
      <span className="flex items-center gap-1.5">
        <Kbd>⇥</Kbd>
        {t('actions')}
      </span>
    </div>
  );
}
