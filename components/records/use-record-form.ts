'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { useTranslations } from 'next-intl';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useForm, useWatch, type DefaultValues, type Path, type PathValue, type UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { useTell } from '@/components/data/use-tell';
import { applyProblems, focusFirstWrong } from './form-problems';
import { changedFields, pickFields, RecordDraft, type Values } from './record-draft';
import type { RecordSource } from './record-source';
import { useUnsavedGuard } from './use-unsaved-guard';

type Row = { id: string; updated: string } | null;

export interface RecordFormOptions<Stored extends Row, Form extends Values> {
  source: RecordSource<Stored>;
  schema: z.ZodType<Form, Form>;
  /** The form of what is stored. Declared outside of the component. */
  toValues: (row: Stored) => Form;
  /** The body of a save, by the form's own names; the form itself where none is given. */
  toBody?: (values: Form) => Record<string, unknown>;
  nameOf: (row: Stored) => string;
  /** After "saved": what that means. */
  savedHint?: string | undefined;
  onSaved?: () => void;
  applyProblems?: (form: UseFormReturn<Form>, error: unknown, fallback: string) => string[];
}

/**
 * A form that follows its record: fields that were not touched show what is stored, a save sends the others alone, and
 * what others changed meanwhile in one of those waits for a choice before anything is saved.
 */
export function useRecordForm<Stored extends Row, Form extends Values>(options: RecordFormOptions<Stored, Form>) {
  const { source, schema, toValues } = options;
  const common = useTranslations('common');
  const tell = useTell();
  const [messages, setMessages] = useState<string[]>([]);
  const [draft] = useState(() => new RecordDraft(toValues(source.row), source.row?.updated ?? ''));
  const form = useForm<Form, unknown, Form>({
    shouldFocusError: false,
    resolver: schemaResolver(schema),
    defaultValues: draft.getState().base as DefaultValues<Form>,
  });
  const { base, theirs } = useSyncExternalStore(draft.subscribe, draft.getState, draft.getState);
  const mine = useWatch({ control: form.control }) as Form;
  const { isSubmitted } = form.formState;
  const isDirty = changedFields(base, mine).length > 0;
  useUnsavedGuard(isDirty);

  const show = useCallback(
    (values: Partial<Form>) => {
      for (const [name, value] of Object.entries(values)) {
        form.setValue(name as Path<Form>, value as PathValue<Form, Path<Form>>, { shouldValidate: isSubmitted });
      }
    },
    [form, isSubmitted],
  );
  const follow = useCallback(
    (row: Stored): Partial<Form> => {
      const taken = draft.follow({ stored: toValues(row), version: row?.updated ?? '', mine: form.getValues() });
      show(taken);
      return taken;
    },
    [draft, form, show, toValues],
  );
  useEffect(() => void follow(source.row), [follow, source.row]);

  const showProblems = (error: unknown) => {
    setMessages((options.applyProblems ?? applyProblems)(form, error, common('errors.general')));
    tell.refused(error);
  };

  const submit = form.handleSubmit(async (parsed) => {
    setMessages([]);
    try {
      // Somebody may have saved what this page has not heard of yet.
      const taken = follow(await source.read());
      if (draft.openFields(form.getValues()).length > 0) return focusFirstWrong();
      const changed = changedFields(draft.getState().base, form.getValues());
      const sent = copy(pickFields(form.getValues(), changed));
      const body = options.toBody?.({ ...parsed, ...taken }) ?? { ...parsed, ...taken };
      const saved = await source.write(body, changed);
      draft.accept(sent);
      follow(saved);
      form.clearErrors();
      tell.done(common('told.saved', { name: options.nameOf(saved) }), options.savedHint);
      options.onSaved?.();
      await source.refresh();
    } catch (error) {
      showProblems(error);
    }
  }, focusFirstWrong);

  return {
    form,
    isDirty,
    messages,
    showProblems,
    submit,
    /** Of each field that waits for a choice, what is stored. */
    theirs: pickFields(theirs as Form, draft.openFields(mine)),
    keepMine: (field: string) => draft.settle(field),
    takeTheirs: (field: string) => {
      show(pickFields(theirs as Form, [field]));
      draft.settle(field);
    },
    discard: () => {
      setMessages([]);
      form.reset(draft.discard());
    },
  };
}

/** A copy that typing does not change: the form writes into its own lists. */
function copy<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copy) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copy(part)])) as Value;
}
