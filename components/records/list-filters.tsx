'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { CollectionName } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { PickerList } from '@/components/ui/picker';
import { Popover } from '@/components/ui/popover';
import type { ListState } from './list-address';
import { usePickedOption } from './record-choices';
import { RecordPickerList } from './record-picker';
import { SearchBox } from './search/search-box';
import type { SearchKey } from './search/search-filter';
import { tagScopeOf } from './tags/tag-scope';
import type { ListDefinition, ListFilter } from './list-types';

type Change = (patch: Record<string, string | undefined>, options?: { isCorrection?: boolean }) => void;

interface ListFiltersProps<Name extends CollectionName> {
  list: ListDefinition<Name>;
  keys: SearchKey[];
  state: ListState;
  onChange: Change;
  onClear: (() => void) | undefined;
}

export function ListFilters<Name extends CollectionName>({
  list,
  keys,
  state,
  onChange,
  onClear,
}: ListFiltersProps<Name>) {
  const t = useTranslations('common.list');
  return (
    <div className="flex shrink-0 scrollbar-none items-center gap-2 overflow-x-auto px-6 pt-1 pb-3 max-lg:px-4">
      <SearchBox
        label={list.searchLabel}
        tagScope={tagScopeOf(list)}
        keys={keys}
        value={state.search}
        onChange={(search) => onChange({ search }, { isCorrection: true })}
      />
      {list.filters.map((filter) => (
        <FilterChip key={filter.key} filter={filter} value={state.filters[filter.key] ?? ''} onChange={onChange} />
      ))}
      {onClear && (
        <Button variant="ghost" size="sm" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
    </div>
  );
}

function FilterChip({ filter, value, onChange }: { filter: ListFilter; value: string; onChange: Change }) {
  const t = useTranslations('common.list');
  const [isOpen, setOpen] = useState(false);
  const options = filter.options.map((option) => ({ value: option.value, text: option.label }));
  const isPinned = options.some((option) => option.value === value);
  const found = usePickedOption(filter.choices, isPinned ? '' : value);
  const label = options.find((option) => option.value === value)?.text ?? found?.text ?? value;
  const list = {
    value,
    searchLabel: filter.label,
    onPick: (next: string) => {
      onChange({ [filter.key]: next });
      setOpen(false);
    },
  };
  const look =
    'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-ctl border text-table whitespace-nowrap max-lg:h-9 [&_svg]:size-4 [&_svg]:text-text-3';
  const trigger = value ? (
    <button type="button" className={`${look} border-line-strong rounded-r-none border-r-0 pr-1 pl-[9px]`}>
      <span className="text-text-3">{filter.label}</span> {label}
    </button>
  ) : (
    <button type="button" className={`${look} border-line-strong text-text-2 hover:bg-hover border-dashed px-[9px]`}>
      {filter.icon}
      {filter.label}
    </button>
  );
  return (
    <span className="flex shrink-0">
      <Popover
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={trigger}
        label={filter.label}
        className="w-56 overflow-hidden"
      >
        {filter.picker ? (
          filter.picker(list)
        ) : filter.choices ? (
          <RecordPickerList {...list} choices={filter.choices} pinned={options} />
        ) : (
          <PickerList {...list} options={options} emptyText={t('noOption')} />
        )}
      </Popover>
      {value && (
        <button
          type="button"
          aria-label={t('clearFilter', { filter: filter.label })}
          className="rounded-r-ctl border-line-strong text-text-3 hover:bg-hover grid h-7 w-6 place-items-center border border-l-0 max-lg:h-9 max-lg:w-8"
          onClick={() => onChange({ [filter.key]: undefined })}
        >
          <X className="size-3.5" aria-hidden="true" />
        </button>
      )}
    </span>
  );
}
