'use client';

import { useTranslations } from 'next-intl';
import type { CollectionName } from '@/components/data/types';
import type { PickerOption } from '@/components/ui/picker-list';
import { PickerList } from '@/components/ui/picker';
import { isMatch, useChoiceOptions, type RecordChoices } from './record-choices';

interface RecordPickerListProps<Name extends CollectionName> {
  listId?: string;
  choices: RecordChoices<Name>;
  /** Options that are there whatever is typed, before the others. */
  pinned?: PickerOption[];
  /** Records that are not offered. */
  except?: string[];
  value: string;
  onPick: (value: string) => void;
  searchLabel: string;
  emptyText?: string;
}

/** A list of records that the server searches as the text is typed. */
export function RecordPickerList<Name extends CollectionName>(props: RecordPickerListProps<Name>) {
  const { listId, choices, pinned = [], except = [], value, onPick, searchLabel, emptyText } = props;
  const t = useTranslations('common.list');
  const { options, search, note } = useChoiceOptions(choices);
  const left = new Set([...except, ...pinned.map((option) => option.value)]);
  const before = pinned.filter((option) => isMatch(option.text, search.text));
  return (
    <PickerList
      listId={listId}
      options={[...before, ...options.filter((option) => !left.has(option.value))]}
      value={value}
      onPick={onPick}
      searchLabel={searchLabel}
      emptyText={emptyText ?? t('noOption')}
      search={search}
      note={note}
    />
  );
}
