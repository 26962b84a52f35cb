'use client';

import { Tags } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import type { CollectionName, Collections } from '@/components/data/types';
import { tagTerm } from '../search/search-terms';
import type { FilterPickerProps, ListColumn, ListDefinition } from '../list-types';
import { TagChips } from './record-tags';
import { tagScopeOf, type TagScope } from './tag-scope';

const TagPicker = dynamic(() => import('./tag-picker').then((module) => module.TagPicker));
const TagsDialog = dynamic(() => import('./tags-dialog').then((module) => module.TagsDialog));

interface TaggedList<Name extends CollectionName> {
  /** With a chip and an act for tags, where its records carry them. */
  list: ListDefinition<Name>;
  /** Its columns, with one of tags where a row has any. */
  columnsOf: (rows: Collections[Name][], onPick: (tag: string) => void) => ListColumn<Collections[Name]>[];
  /** What the act asks. */
  dialog: ReactNode;
}

const tagsOf = (row: unknown): string[] => (row as { tags?: string[] }).tags ?? [];

/** What tags add to a list. */
export function useTaggedList<Name extends CollectionName>(given: ListDefinition<Name>): TaggedList<Name> {
  const t = useTranslations('common.tags');
  const common = useTranslations('common.batch');
  const [asked, setAsked] = useState<Collections[Name][]>([]);
  const scope = tagScopeOf(given);
  if (!scope.kind) return { list: given, columnsOf: () => given.columns, dialog: null };
  const act = {
    key: 'tags',
    label: t('change'),
    icon: <Tags />,
    refusal: (row: Collections[Name]) => (row.can?.['modify'] === true ? undefined : common('notAllowed')),
    run: setAsked,
  };
  return {
    list: {
      ...given,
      filters: [...given.filters, tagFilter(scope, t('one'))],
      batch: [...(given.batch ?? []), act],
    },
    columnsOf: (rows, onPick) => {
      if (rows.every((row) => tagsOf(row).length === 0)) return given.columns;
      const column: ListColumn<Collections[Name]> = {
        id: 'tags',
        header: t('label'),
        enough: 130,
        rank: 2,
        small: 'status',
        cell: (row) => tagsOf(row).length > 0 && <TagChips tags={tagsOf(row)} onPick={onPick} />,
      };
      return [...given.columns.slice(0, 2), column, ...given.columns.slice(2)];
    },
    dialog: asked.length > 0 && (
      <TagsDialog
        collection={given.collection}
        rows={asked.map((row) => ({ id: row.id, name: given.rowName(row), tags: tagsOf(row) }))}
        onClose={() => setAsked([])}
      />
    ),
  };
}

function tagFilter(scope: TagScope, label: string) {
  return {
    key: 'tag',
    label,
    icon: <Tags aria-hidden="true" />,
    options: [],
    picker: (list: FilterPickerProps) => <TagPicker scope={scope} {...list} />,
    term: tagTerm,
    toFilter: (value: string) => tagTerm.toFilter(value, false),
  };
}
