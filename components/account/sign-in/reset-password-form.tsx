'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTypedForm } from '@/components/records/use-typed-form';
import type { z } from 'zod';
import { api } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { focusFirstWrong } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { paths } from '@/lib/paths';
import { applyAccountProblems } from '../fields/account-problems';
import { DeadLink } from './dead-link';
import { NewPasswordFields } from '../fields/new-password-fields';
import { newPasswordSchema } from '../fields/password-rules';
import { SignedOutCard } from './signed-out-card';

type ResetValues = z.infer<typeof newPasswordSchema>;

interface ResetPasswordFormProps {
  token: string;
  /** Whether the link was mailed by the administration calls. */
  isAdmin: boolean;
  isDead: boolean;
}

/** Sets a new password by a mailed link. */
export function ResetPasswordForm({ token, isAdmin, isDead }: ResetPasswordFormProps) {
  const t = useTranslations('pages.confirmReset');
  const common = useTranslations('common');
  const [state, setState] = useState<'asked' | 'done' | 'dead'>(isDead ? 'dead' : 'asked');
  const [messages, setMessages] = useState<string[]>([]);
  const form = useTypedForm<ResetValues>({
    shouldFocusError: false,
    resolver: schemaResolver(newPasswordSchema),
    defaultValues: { password: '', passwordConfirm: '' },
  });

  async function save(values: ResetValues) {
    setMessages([]);
    const accounts = isAdmin ? api().admins : api().collection('users');
    try {
      await accounts.confirmPasswordReset(token, values.password, values.passwordConfirm);
      // Whatever token this browser still had has ended with the old password.
      api().authStore.clear();
      setState('done');
    } catch (error) {
      if (fieldProblems(error).some(({ path }) => path === 'token')) setState('dead');
      else setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }

  if (state === 'dead') {
    return (
      <DeadLink text={t('dead')} isNews={!isDead}>
        <Button asChild variant="primary" size="lg">
          <Link href={paths.forgotPassword}>{t('askAgain')}</Link>
        </Button>
      </DeadLink>
    );
  }
  if (state === 'done') {
    return (
      <SignedOutCard
        isNews
        icon={<CircleCheck className="text-ok-text" aria-hidden="true" />}
        title={t('done.title')}
        text={t('done.text')}
      >
        <Button asChild variant="primary" size="lg" className="mt-5 w-full">
          <Link href={paths.login()}>{common('actions.logIn')}</Link>
        </Button>
      </SignedOutCard>
    );
  }
  return (
    <SignedOutCard title={t('title')} text={t('text')}>
      <form
        noValidate
        method="post"
        className="mt-5 grid gap-3.5"
        onSubmit={(event) => void form.handleSubmit(save, focusFirstWrong)(event)}
      >
        <NewPasswordFields form={form} size="lg" isReplacing autoFocus />
        <div role="alert">{messages.length > 0 && <FieldError>{messages.join(' ')}</FieldError>}</div>
        <Button type="submit" variant="primary" size="lg" isBusy={form.formState.isSubmitting}>
          {t('submit')}
        </Button>
      </form>
    </SignedOutCard>
  );
}
