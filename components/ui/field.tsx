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
      <div className="text-table mb-1.5 flex items-center gap-1.5 leading-4 font-medium">
        <Label htmlFor={id}>{label}</Label>
        {note && <span className="text-text-3 font-normal">{note}</span>}
        {aside && <span className="ml-auto">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': text ? textId : undefined, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <FieldError id={textId}>{error}</FieldError>
      ) : (
        hint && (
          <div id={textId} className="text-small text-text-3 mt-1.5">
            {hint}
          </div>
        )
      )}
    </div>
  );
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="text-small text-bad-text mt-1.5 flex items-center gap-[5px]">
      <Glyph kind="bad" className="size-[13px]" />
      {children}
    </p>
  );
}
