'use client';

import { useId } from 'react';
import { FieldError } from './field';
import { Switch } from './switch';

interface ChoiceProps {
  name?: string;
  label: string;
  hint: string;
  error?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with its label, and below it what it means or what is wrong with it. */
export function Choice({ name, label, hint, error, checked, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="text-table flex items-start gap-3">
      <Switch
        id={id}
        className="mt-0.5"
        data-path={name}
        data-invalid={error ? '' : undefined}
        aria-describedby={`${id}-hint`}
        checked={checked}
        onCheckedChange={onChange}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <div id={`${id}-hint`}>
          {error ? <FieldError>{error}</FieldError> : <p className="text-small text-text-3">{hint}</p>}
        </div>
      </div>
    </div>
  );
}
