'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { api, startSession } from '@/components/data/client';
import { messageOf, statusOf } from '@/components/data/problems';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { PasswordField } from './password-field';

const loginSchema = z.object({
  identity: z.string().trim().min(1, 'required'),
  password: z.string().min(1, 'required'),
});
type LoginValues = z.infer<typeof loginSchema>;

export function LoginForm({ target }: { target: string }) {
  const t = useTranslations('pages.login');
  const common = useTranslations('common');
  const router = useRouter();
  const [failure, setFailure] = useState<string>();
  const form = useForm<LoginValues>({
    shouldFocusError: false,
    resolver: zodResolver(loginSchema),
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
      const status = statusOf(error);
      setFailure(
        status === 400 ? t('wrong') : ((status === 429 ? messageOf(error) : undefined) ?? common('errors.general')),
      );
      form.setFocus('password');
    }
  }

  return (
    <div className="border-line-strong bg-surface shadow-control w-[380px] max-w-full rounded-lg border p-7">
      <h1 className="text-title font-semibold tracking-[-0.018em]">{t('title')}</h1>
      <p className="text-text-2 mt-0.5">{t('text')}</p>
      <form
        noValidate
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
        <PasswordField
          label={t('password')}
          error={errorOf('password')}
          autoComplete="current-password"
          {...form.register('password')}
        />
        <div role="alert">{failure && <FieldError>{failure}</FieldError>}</div>
        <Button type="submit" variant="primary" size="lg" isBusy={form.formState.isSubmitting}>
          {t('submit')}
        </Button>
      </form>
    </div>
  );
}
