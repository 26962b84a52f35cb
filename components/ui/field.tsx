'use client';

import { Label } from '@radix-ui/react-label';
import { useId, type ReactNode } from 'react';
import { Glyph } from './glyph';

interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** A word after the label, such as "optional". */
  note?: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Beside the label, at its right. */
  aside?: ReactNode;
  children: (control: ControlProps) => ReactNode;
}

/** A label, its control, and below it the error or the hint, all tied by id. */
export function Field({ label, note, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const textId = `${id}-text`;
  const text = error ?? hint;
  return (
    <div className="min-w-0">
      <div className="mb-1.5 flex items-center gap-1.5 text-table leading-4 font-medium">
        <Label htmlFor={id}>{label}</Label>
        {note && <span className="font-normal text-text-3">{note}</span>}
        {aside && <span className="ml-auto">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': text ? textId : undefined, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <FieldError id={textId}>{error}</FieldError>
      ) : (
        hint && (
          <div id={textId} className="mt-1.5 text-small text-text-3">
            {hint}
          </div>
        )
      )}
    </div>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-center gap-[5px] text-small text-bad-text">
      <Glyph kind="bad" className="size-[13px]" />
      {children}
    </p>
  );
}
