'use client';

import { useLayoutEffect, useState } from 'react';
import {
  useForm,
  type FieldPath,
  type FieldValues,
  type PathValue,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form';
import { useIsHydrated } from '@/components/ui/use-is-hydrated';

const TEXTS = 'form input[name]:not([type=checkbox], [type=radio], [type=file]), form textarea[name]';

/**
 * `useForm` that keeps what was typed, or filled in by the browser, before the page's scripts ran: registering a field
 * would write its default over that.
 */
export function useTypedForm<Values extends FieldValues>(props: UseFormProps<Values>): UseFormReturn<Values> {
  const isFirstRender = !useIsHydrated();
  const [early] = useState(() => (isFirstRender && typeof document !== 'undefined' ? readTyped(document) : []));
  const form = useForm<Values>(props);
  useLayoutEffect(() => {
    for (const [name, text] of early) {
      const path = name as FieldPath<Values>;
      const given = form.getValues(path) as unknown;
      if (typeof given !== 'string' || given === text) continue;
      form.setValue(path, text as PathValue<Values, FieldPath<Values>>, { shouldDirty: true, shouldTouch: true });
    }
  }, [early, form]);
  return form;
}

/** Names and texts of the fields that hold something else than the server wrote into them. */
export function readTyped(page: Pick<Document, 'querySelectorAll'>): [string, string][] {
  return [...page.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(TEXTS)]
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => [field.name, field.value]);
}
