'use client';

import type { ComponentProps, ReactNode } from 'react';
import {
  Controller,
  type FieldPath,
  type FieldPathByValue,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import { Choice } from '@/components/ui/choice';
import { Field } from '@/components/ui/field';
import { FieldChange } from './field-change';
import { useFieldError } from './form-problems';

interface FormFieldProps<Values extends FieldValues> extends Omit<ComponentProps<typeof Field>, 'error'> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  /** The stored value in words, where others have changed it. */
  wordsOf?: (value: unknown) => ReactNode;
}

/** A field of a form with what is wrong with it, and with what others made of it meanwhile. */
export function FormField<Values extends FieldValues>({ form, name, wordsOf, ...field }: FormFieldProps<Values>) {
  const errorOf = useFieldError(form);
  return (
    <div className="min-w-0">
      <Field {...field} error={errorOf(name)} />
      <FieldChange name={name} wordsOf={wordsOf} />
    </div>
  );
}

interface FormSwitchProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPathByValue<Values, boolean>;
  label: string;
  hint: string;
}

/** A switch of a form, as `FormField`. */
export function FormSwitch<Values extends FieldValues>({ form, name, label, hint }: FormSwitchProps<Values>) {
  const errorOf = useFieldError(form);
  return (
    <div className="min-w-0">
      <Controller
        control={form.control}
        name={name}
        render={({ field }) => (
          <Choice
            name={name}
            label={label}
            hint={hint}
            error={errorOf(name)}
            checked={field.value as boolean}
            onChange={field.onChange}
          />
        )}
      />
      <FieldChange name={name} />
    </div>
  );
}
