'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecordIfAny, useRecordList, withoutDoubles } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { CollectionName, Collections, HostRecord, UserRecord } from '@/components/data/types';
import { useSettled } from '@/components/data/use-settled';
import type { PickerOption } from '@/components/ui/picker-list';
import { displayName } from './person';
import { allOf, searchFilter } from './search/filter-text';

const SHOWN = 20;

/** Records to pick one of: where they are, what typing searches in, and how one of them is shown. */
export interface RecordChoices<Name extends CollectionName> {
  collection: Name;
  searchFields: string[];
  /** Which of them may be picked at all. */
  filter?: string;
  /** Those that come before the others. */
  firstFilter?: string;
  expand?: string;
  toOption(row: Collections[Name]): PickerOption;
}

/** Whether a name holds what was typed, as the server compares them. */
export function isMatch(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase());
}

/** The options for what was typed, those of `firstFilter` before the others. */
export function useChoiceOptions<Name extends CollectionName>(choices: RecordChoices<Name>) {
  const t = useTranslations('common.picker');
  const [text, setText] = useState('');
  const search = useSettled(text.trim());
  const { collection, searchFields, filter, firstFilter, expand = '', toOption } = choices;
  const page = { page: 1, perPage: SHOWN, sort: searchFields[0] ?? '', expand };
  const matching = allOf(filter, searchFilter(searchFields, search));
  const first = useRecordList(
    collection,
    { ...page, filter: allOf(firstFilter, matching) },
    { isEnabled: firstFilter !== undefined },
  );
  const all = useRecordList(collection, { ...page, filter: matching });
  const rows = withoutDoubles([...((firstFilter && first.data?.items) || []), ...(all.data?.items ?? [])]);
  const options = rows.slice(0, SHOWN).map((row) => toOption(row));
  const total = all.data?.totalItems ?? 0;
  const isBusy = all.isPending || all.isPlaceholderData || search !== text.trim();
  return {
    // What an earlier text found is still in sight while the next answer is on its way.
    options: isBusy ? options.filter((option) => isMatch(option.text, text)) : options,
    search: { text, onTextChange: setText, isBusy },
    note: total > SHOWN ? t('more', { shown: SHOWN, total }) : undefined,
  };
}

/** The option of a record that is picked already. */
export function usePickedOption<Name extends CollectionName>(
  choices: RecordChoices<Name> | undefined,
  id: string,
): PickerOption | undefined {
  const row = useRecordIfAny(choices?.collection ?? 'users', choices ? id : '', choices?.expand);
  return row && choices ? choices.toOption(row as Collections[Name]) : undefined;
}

/** People, by name and username. */
export function personChoices(filter?: string): RecordChoices<'users'> {
  return {
    collection: 'users',
    searchFields: ['name', 'username'],
    ...(filter && { filter }),
    toOption: (user: UserRecord) => ({ value: user.id, text: displayName(user), detail: user.username }),
  };
}

/** Hosts, by name; those that are disabled or in maintenance can't be picked. */
export function useHostChoices(filter?: string): RecordChoices<'hosts'> {
  const t = useTranslations('common');
  return {
    collection: 'hosts',
    searchFields: ['name'],
    ...(filter && { filter }),
    toOption: (host: HostRecord) => ({
      value: host.id,
      text: host.name,
      detail: host.maintenance
        ? t('hostNotice.maintenanceShort')
        : host.status === 'online'
          ? host.engine?.kind
          : t('hostStatus.offline'),
      isDisabled: !host.enabled || host.maintenance !== null,
    }),
  };
}

/** The filter for the resources that the viewer was given a right to, made, or may use as an admin. */
export function useGivenFilter(kind: 'host' | 'image' | 'volume' | 'network' | 'domain', flag: string): string {
  const viewer = useViewer();
  // Of permissions, people see their own and those on what they made.
  return viewer.isAdmin ? '' : `created_by = '${viewer.id}' || ${kind}_permissions_via_${kind}.${flag} ?= true`;
}
