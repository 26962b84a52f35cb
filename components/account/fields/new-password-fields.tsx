'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useFieldError } from '@/components/records/form-problems';
import { PasswordChecks } from './password-checks';
import { PasswordField } from './password-field';

interface NewPassword {
  password: string;
  passwordConfirm: string;
}

interface NewPasswordFieldsProps<Values extends NewPassword> {
  form: UseFormReturn<Values>;
  /** Large on the pages of those who are signed out. */
  size?: 'md' | 'lg';
  /** The account has one already. */
  isReplacing?: boolean;
  autoFocus?: boolean;
}

/** A password typed twice, with its rules ticked while typing. */
export function NewPasswordFields<Values extends NewPassword>(props: NewPasswordFieldsProps<Values>) {
  const { size = 'md', isReplacing = false, autoFocus } = props;
  const account = useTranslations('common.account');
  // Of the form's values only these two are of interest here.
  const form = props.form as unknown as UseFormReturn<NewPassword>;
  const errorOf = useFieldError(form);
  const password = useWatch({ control: form.control, name: 'password' });
  return (
    <div className={size === 'md' ? 'grid grid-cols-2 gap-3.5 max-sm:grid-cols-1' : 'grid gap-3.5'}>
      <PasswordField
        size={size}
        label={account(isReplacing ? 'newPassword' : 'password')}
        autoComplete="new-password"
        autoFocus={autoFocus}
        error={errorOf('password')}
        hint={<PasswordChecks value={password} />}
        {...form.register('password')}
      />
      <PasswordField
        size={size}
        label={account('passwordConfirm')}
        autoComplete="new-password"
        error={errorOf('passwordConfirm')}
        {...form.register('passwordConfirm')}
      />
    </div>
  );
}
