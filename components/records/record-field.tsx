'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'next-intl';
import { Controller, type FieldPathByValue, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { useIsMissing } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import { Picker } from '@/components/ui/picker';
import { FormField } from './form-field';
import { usePickedOption, type RecordChoices } from './record-choices';
import { RecordPickerList } from './record-picker';

interface RecordFieldProps<Values extends FieldValues, Name extends CollectionName> {
  form: UseFormReturn<Values>;
  name: FieldPathByValue<Values, string>;
  choices: RecordChoices<Name>;
  label: string;
  hint?: ReactNode;
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
  const t = useTranslations('common.ask');
  const picked = usePickedOption(choices, value);
  const isHidden = useIsMissing(choices.collection, value, choices.expand);
  return (
    <Picker
      id={id}
      aria-describedby={props['aria-describedby']}
      aria-invalid={props['aria-invalid']}
      data-path={name}
      icon={icon}
      picked={picked}
      placeholder={value === '' ? placeholder : isHidden ? t('hidden') : ''}
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
