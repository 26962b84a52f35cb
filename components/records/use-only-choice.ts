'use client';

import { useEffect } from 'react';
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form';
import { useRecordList } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import type { RecordChoices } from './record-choices';
import { allOf } from './search/filter-text';

const OPTIONS = { followsFilter: true, fillsForm: true };

/**
 * Picks the one option there is to pick, as the form's default, so that the form does not count as changed by it; and
 * says when there is none.
 */
export function useOnlyChoice<Values extends FieldValues, Name extends FieldPath<Values>, From extends CollectionName>(
  form: UseFormReturn<Values>,
  name: Name,
  choices: RecordChoices<From>,
): { isNone: boolean } {
  const filter = allOf(choices.filter, 'enabled = true');
  const { data } = useRecordList(choices.collection, { page: 1, perPage: 1, filter }, OPTIONS);
  const only = data?.totalItems === 1 ? data.items[0]?.id : undefined;
  useEffect(() => {
    if (!only || form.getValues(name)) return;
    form.resetField(name, { defaultValue: only as PathValue<Values, Name> });
  }, [form, name, only]);
  return { isNone: data?.totalItems === 0 };
}
