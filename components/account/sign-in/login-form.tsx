'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState, type ReactNode } from 'react';
import { useTypedForm } from '@/components/records/use-typed-form';
import { z } from 'zod';
import { api, startSession } from '@/components/data/client';
import { isToldElsewhere, messageOf, statusOf } from '@/components/data/problems';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { paths } from '@/lib/paths';
import { PasskeySignIn } from './passkey-sign-in';
import { PasswordField } from '../fields/password-field';
import { readSignInNeed, type SignInNeed } from './sign-in-need';
import { SignInRest } from './sign-in-rest';
import { SignedOutCard } from './signed-out-card';

const loginSchema = z.object({
  identity: z.string().trim().min(1, 'required'),
  password: z.string().min(1, 'required'),
});
type LoginValues = z.infer<typeof loginSchema>;

interface LoginFormProps {
  target: string;
  /** Other ways to log in, below the form. */
  children?: ReactNode;
}

/** The log-in page's box: the first factor, and what follows it where the account needs more. */
export function LoginForm({ target, children }: LoginFormProps) {
  const t = useTranslations('pages.login');
  const [need, setNeed] = useState<SignInNeed>();
  const [isExpired, setExpired] = useState(false);
  if (need) {
    return (
      <SignInRest
        need={need}
        target={target}
        onRestart={(why) => {
          setNeed(undefined);
          setExpired(why === 'expired');
        }}
      />
    );
  }
  return (
    <SignedOutCard title={t('title')} text={t('text')}>
      {children}
      <PasswordLogin target={target} firstFailure={isExpired ? t('expired') : undefined} onNeed={setNeed} />
      <PasskeySignIn target={target} />
    </SignedOutCard>
  );
}

interface PasswordLoginProps {
  target: string;
  firstFailure: string | undefined;
  onNeed: (need: SignInNeed) => void;
}

function PasswordLogin({ target, firstFailure, onNeed }: PasswordLoginProps) {
  const t = useTranslations('pages.login');
  const common = useTranslations('common');
  const router = useRouter();
  const [failure, setFailure] = useState(firstFailure);
  const form = useTypedForm<LoginValues>({
    shouldFocusError: false,
    resolver: schemaResolver(loginSchema),
    defaultValues: { identity: '', password: '' },
  });
  const errorOf = useFieldError(form);

  async function logIn(values: LoginValues) {
    setFailure(undefined);
    try {
      await api().collection('users').authWithPassword(values.identity, values.password);
      await startSession();
      router.replace(target);
      router.refresh();
    } catch (error) {
      const need = readSignInNeed(error);
      if (need) return onNeed(need);
      setFailure(failureOf(error));
      form.setFocus('password');
    }
  }

  function failureOf(error: unknown): string | undefined {
    if (statusOf(error) === 400) return t('wrong');
    if (isToldElsewhere(error)) return undefined;
    return (statusOf(error) === 403 ? messageOf(error) : undefined) ?? common('errors.general');
  }

  return (
    <form
      noValidate
      method="post"
      className="mt-5 grid gap-3.5"
      onSubmit={(event) => void form.handleSubmit(logIn, focusFirstWrong)(event)}
    >
      <Field label={t('identity')} error={errorOf('identity')}>
        {(control) => (
          <Input
            {...control}
            size="lg"
            type="email"
            inputMode="email"
            autoComplete="username"
            autoFocus
            {...form.register('identity')}
          />
        )}
      </Field>
      <div className="relative">
        <PasswordField
          label={t('password')}
          error={errorOf('password')}
          autoComplete="current-password"
          {...form.register('password')}
        />
        <Link
          href={paths.forgotPassword}
          className="text-small text-accent-text absolute top-0 right-0 rounded-sm leading-4 hover:underline"
        >
          {t('forgot')}
        </Link>
      </div>
      <div role="alert">{failure && <FieldError>{failure}</FieldError>}</div>
      <Button type="submit" variant="primary" size="lg" isBusy={form.formState.isSubmitting}>
        {t('submit')}
      </Button>
    </form>
  );
}
