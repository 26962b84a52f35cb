'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'next-intl';
import { Controller, type FieldPathByValue, type FieldValues, type UseFormReturn } from 'react-hook-form';
import type { CollectionName } from '@/components/data/types';
import { Picker, PickerList, type PickerOption } from '@/components/ui/picker';
import { FormField } from './form-field';
import { isMatch, useChoiceOptions, usePickedOption, type RecordChoices } from './record-choices';

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

interface RecordFieldProps<Values extends FieldValues, Name extends CollectionName> {
  form: UseFormReturn<Values>;
  name: FieldPathByValue<Values, string>;
  choices: RecordChoices<Name>;
  label: string;
  hint?: string | undefined;
  icon: ReactNode;
  placeholder: string;
  searchLabel: string;
  isFixed?: boolean;
}

/** A field of a form whose value is a record. */
export function RecordField<Values extends FieldValues, Name extends CollectionName>(
  props: RecordFieldProps<Values, Name>,
) {
  const { form, name, label, hint } = props;
  return (
    <FormField
      form={form}
      name={name}
      label={label}
      hint={hint}
      wordsOf={(id) => <PickedWords {...props} id={String(id)} />}
    >
      {(control) => (
        <Controller
          control={form.control}
          name={name}
          render={({ field }) => <FieldPicker {...props} {...control} value={field.value} onPick={field.onChange} />}
        />
      )}
    </FormField>
  );
}

interface FieldPickerProps<Name extends CollectionName> {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
  name: string;
  choices: RecordChoices<Name>;
  icon: ReactNode;
  placeholder: string;
  searchLabel: string;
  isFixed?: boolean;
  value: string;
  onPick: (value: string) => void;
}

function FieldPicker<Name extends CollectionName>(props: FieldPickerProps<Name>) {
  const { id, name, choices, icon, placeholder, searchLabel, isFixed = false, value, onPick } = props;
  const picked = usePickedOption(choices, value);
  return (
    <Picker
      id={id}
      aria-describedby={props['aria-describedby']}
      aria-invalid={props['aria-invalid']}
      data-path={name}
      icon={icon}
      picked={picked}
      placeholder={value === '' ? placeholder : ''}
      label={searchLabel}
      disabled={isFixed}
    >
      {({ listId, close }) => (
        <RecordPickerList
          listId={listId}
          choices={choices}
          value={value}
          searchLabel={searchLabel}
          onPick={(next) => {
            onPick(next);
            close();
          }}
        />
      )}
    </Picker>
  );
}

function PickedWords<Name extends CollectionName>({ choices, id }: { choices: RecordChoices<Name>; id: string }) {
  return usePickedOption(choices, id)?.text ?? id;
}
