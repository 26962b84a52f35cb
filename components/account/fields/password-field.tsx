'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState, type ComponentProps, type ReactNode } from 'react';
import { Field } from '@/components/ui/field';
import { AffixInput } from '@/components/ui/input';

interface PasswordFieldProps extends Omit<ComponentProps<'input'>, 'size'> {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  size?: 'md' | 'lg';
}

export function PasswordField({ label, error, hint, size = 'lg', ...rest }: PasswordFieldProps) {
  const t = useTranslations('common.password');
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <AffixInput
          {...control}
          {...rest}
          size={size}
          type={isShown ? 'text' : 'password'}
          frameClassName="w-full pr-1!"
          after={
            <button
              type="button"
              aria-label={isShown ? t('hide') : t('show')}
              aria-pressed={isShown}
              className="text-text-3 hover:text-text grid size-6 place-items-center rounded-sm focus-visible:shadow-(--focus-ring)!"
              onClick={() => setShown(!isShown)}
            >
              {isShown ? (
                <EyeOff className="size-4" aria-hidden="true" />
              ) : (
                <Eye className="size-4" aria-hidden="true" />
              )}
            </button>
          }
        />
      )}
    </Field>
  );
}
