'use client';

import { useEffect } from 'react';
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form';

/** Picks the one option there is to pick, as the form's default, so that the form does not count as changed by it. */
export function useOnlyChoice<Values extends FieldValues, Name extends FieldPath<Values>>(
  form: UseFormReturn<Values>,
  name: Name,
  choices: { id: string; enabled: boolean }[],
): void {
  const able = choices.filter((choice) => choice.enabled);
  const only = able.length === 1 ? able[0]?.id : undefined;
  useEffect(() => {
    if (!only || form.getValues(name)) return;
    form.resetField(name, { defaultValue: only as PathValue<Values, Name> });
  }, [form, name, only]);
}
