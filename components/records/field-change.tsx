'use client';

import { useTranslations } from 'next-intl';
import { createContext, useContext, type ReactNode } from 'react';
import type { CollectionName } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Glyph } from '@/components/ui/glyph';
import { Fold } from '@/components/ui/notice';
import type { Values } from './record-draft';
import { useWhoChanged } from './use-who-changed';

interface FieldChanges {
  collection: CollectionName;
  recordId: string;
  /** Of each field that waits for a choice, what is stored. */
  theirs: Values;
  keepMine: (field: string) => void;
  takeTheirs: (field: string) => void;
}

const FieldChangesContext = createContext<FieldChanges | undefined>(undefined);
export const FieldChangesProvider = FieldChangesContext.Provider;

interface FieldChangeProps {
  name: string;
  /** The stored value in words, where it is not its own word. */
  wordsOf?: ((value: unknown) => ReactNode) | undefined;
}

/** Below a field that others have changed while it was changed here: what they made of it, and the choice. */
export function FieldChange({ name, wordsOf }: FieldChangeProps) {
  const changes = useContext(FieldChangesContext);
  if (!changes || !(name in changes.theirs)) return null;
  return <ChangeNotice {...changes} field={name} wordsOf={wordsOf} />;
}

function ChangeNotice(props: FieldChanges & { field: string; wordsOf: FieldChangeProps['wordsOf'] }) {
  const { collection, recordId, theirs, keepMine, takeTheirs, field, wordsOf } = props;
  const t = useTranslations('common.changed');
  const who = useWhoChanged(collection, recordId, field);
  const words = useValueWords();
  const text = wordsOf?.(theirs[field]) ?? words(theirs[field]);
  const by = who ? t('by', { name: who }) : t('title');
  const isLong = typeof text === 'string' && (text.length > 80 || text.includes('\n'));
  return (
    <div
      role="group"
      aria-label={by}
      data-invalid=""
      tabIndex={-1}
      className="border-warn-line bg-warn-soft text-small mt-1.5 rounded-md border px-2.5 py-2"
    >
      <div role="status" className="flex items-start gap-1.5">
        <Glyph kind="warn" className="mt-px size-[13px] shrink-0" />
        <span className="min-w-0 break-words">
          <span className="font-medium">{by}</span>
          {!isLong && <> {t.rich('to', { value: () => text })}</>}
        </span>
      </div>
      {isLong && (
        <div className="mt-1">
          <Fold summary={t('show')}>{text}</Fold>
        </div>
      )}
      <div className="mt-1.5 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => takeTheirs(field)}>
          {t('takeTheirs')}
        </Button>
        <Button size="sm" onClick={() => keepMine(field)}>
          {t('keepMine')}
        </Button>
      </div>
    </div>
  );
}

function useValueWords(): (value: unknown) => string {
  const t = useTranslations('common');
  return (value) => {
    if (typeof value === 'boolean') return value ? t('yes') : t('no');
    if (Array.isArray(value)) return value.length === 0 ? t('changed.nothing') : value.map(itemWords).join('\n');
    if (value === '' || value === null || value === undefined) return t('changed.nothing');
    return typeof value === 'object' ? itemWords(value) : String(value);
  };
}

/** A row of a list by what it says, without what it leaves open. */
function itemWords(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item);
  return Object.values(item)
    .filter((part) => part !== '' && typeof part !== 'boolean')
    .join(' ');
}
