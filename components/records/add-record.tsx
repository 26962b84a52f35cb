'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'next-intl';
import { useIsMissing } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import { usePickedOption, type RecordChoices } from './record-choices';
import { RecordPickerList } from './record-picker';
import { Button } from '@/components/ui/button';
import { Popover } from '@/components/ui/popover';

interface AddRecordProps<Name extends CollectionName> {
  choices: RecordChoices<Name>;
  label: string;
  searchLabel: string;
  emptyText: string;
  /** The field of the form that problems lead to. */
  path: string;
  isDisabled: boolean;
  onAdd: (id: string) => void;
}

/** A button below a table that opens a list of records, and adds the one that is picked. */
export function AddRecord<Name extends CollectionName>(props: AddRecordProps<Name>) {
  const { choices, label, searchLabel, emptyText, path, isDisabled, onAdd } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={searchLabel}
      className="w-72 overflow-hidden"
      trigger={
        <Button variant="ghost" size="sm" data-path={path} disabled={isDisabled}>
          <Plus className="size-4" />
          {label}
        </Button>
      }
    >
      <RecordPickerList
        choices={choices}
        value=""
        searchLabel={searchLabel}
        emptyText={emptyText}
        onPick={(id) => {
          setOpen(false);
          onAdd(id);
        }}
      />
    </Popover>
  );
}

/** The name of a record that was added; that it is hidden from the viewer where it is. */
export function AddedName<Name extends CollectionName>({ choices, id }: { choices: RecordChoices<Name>; id: string }) {
  const t = useTranslations('common.ask');
  const option = usePickedOption(choices, id);
  const isHidden = useIsMissing(choices.collection, id);
  return (
    <>
      <span className="truncate">{option?.text ?? (isHidden ? t('hidden') : '')}</span>
      {option?.detail && <span className="text-text-3 truncate">{option.detail}</span>}
    </>
  );
}
