'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

const DIGITS = 6;

interface CodeFieldProps {
  label?: string;
  value: string;
  error?: string | undefined;
  onChange: (code: string) => void;
  /** Called once all digits are there. */
  onComplete: (code: string) => void;
}

/** The field of a one-time code: digits only, however it is typed or pasted; a refused code is there to be typed over. */
export function CodeField({ label, value, error, onChange, onComplete }: CodeFieldProps) {
  const t = useTranslations('pages.factor');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!error) return;
    input.current?.focus();
    input.current?.select();
  }, [error]);

  function take(text: string) {
    const code = text.replace(/\D/g, '').slice(0, DIGITS);
    onChange(code);
    if (code.length === DIGITS && code !== value) onComplete(code);
  }

  return (
    <Field label={label ?? t('code')} hint={label ? undefined : t('codeHint')} error={error}>
      {(control) => (
        <Input
          {...control}
          ref={input}
          size="lg"
          isMono
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          spellCheck={false}
          className="tracking-[0.3em]"
          value={value}
          onChange={(event) => take(event.target.value)}
        />
      )}
    </Field>
  );
}
