'use client';

import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

interface RadioListProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; label: string; text: ReactNode; isDisabled?: boolean }[];
}

/** A choice of a few that need a sentence each. */
export function RadioList<Value extends string>({ label, value, onChange, options }: RadioListProps<Value>) {
  const id = useId();
  return (
    <fieldset>
      <legend className="text-table mb-1.5 leading-4 font-medium">{label}</legend>
      <div className="border-line-strong divide-line divide-y rounded-md border">
        {options.map((option) => (
          <label
            key={option.value}
            className="text-table has-checked:bg-accent-soft flex cursor-pointer items-start gap-2.5 px-3 py-2 first:rounded-t-md last:rounded-b-md"
          >
            <input
              type="radio"
              name={id}
              className="accent-accent mt-0.5 size-4 shrink-0 rounded-full"
              aria-labelledby={`${id}-${option.value}-label`}
              aria-describedby={`${id}-${option.value}-text`}
              checked={option.value === value}
              disabled={option.isDisabled}
              onChange={() => onChange(option.value)}
            />
            <span className="min-w-0">
              <span
                id={`${id}-${option.value}-label`}
                className={clsx('block font-medium', option.isDisabled && 'text-text-3')}
              >
                {option.label}
              </span>
              <span id={`${id}-${option.value}-text`} className="text-small text-text-2 block">
                {option.text}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
