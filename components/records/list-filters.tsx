'use client';

import { Search, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import type { CollectionName } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { AffixInput } from '@/components/ui/input';
import { Kbd } from '@/components/ui/parts';
import { PickerList } from '@/components/ui/picker';
import { Popover } from '@/components/ui/popover';
import type { ListState } from './list-address';
import { usePickedOption } from './record-choices';
import { RecordPickerList } from './record-picker';
import type { ListDefinition, ListFilter } from './list-types';

type Change = (patch: Record<string, string | undefined>, options?: { isCorrection?: boolean }) => void;

interface ListFiltersProps<Name extends CollectionName> {
  list: ListDefinition<Name>;
  state: ListState;
  onChange: Change;
  onClear: (() => void) | undefined;
}

export function ListFilters<Name extends CollectionName>({ list, state, onChange, onClear }: ListFiltersProps<Name>) {
  const t = useTranslations('common.list');
  return (
    <div className="flex shrink-0 scrollbar-none items-center gap-2 overflow-x-auto px-6 pt-1 pb-3 max-lg:px-4">
      <SearchBox label={list.searchLabel} value={state.search} onChange={onChange} />
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

function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: Change }) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(next: string) {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange({ search: next.trim() }, { isCorrection: true }), 200);
  }

  return (
    <AffixInput
      size="sm"
      frameClassName="w-60 shrink-0 max-lg:w-44"
      className="text-ellipsis"
      type="search"
      data-key-search=""
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => type(event.target.value)}
      before={<Search className="text-text-3 size-4" aria-hidden="true" />}
      after={<Kbd>/</Kbd>}
    />
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
