'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTypedForm } from '@/components/records/use-typed-form';
import { z } from 'zod';
import { api, endSession } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { paths } from '@/lib/paths';
import { applyAccountProblems } from '../fields/account-problems';
import { DeadLink } from './dead-link';
import { PasswordField } from '../fields/password-field';
import { SignedOutCard } from './signed-out-card';

const confirmSchema = z.object({ password: z.string().min(1, 'required') });
type ConfirmValues = z.infer<typeof confirmSchema>;

interface ConfirmEmailChangeProps {
  token: string;
  link: { state: 'good' | 'dead' | 'taken'; newEmail: string };
}

/** Takes the new address of an account, once its password was typed. Every log-in of the account ends with it. */
export function ConfirmEmailChange({ token, link }: ConfirmEmailChangeProps) {
  const t = useTranslations('pages.confirmEmailChange');
  const common = useTranslations('common');
  const [state, setState] = useState<'good' | 'done' | 'dead' | 'taken'>(link.state);
  const [messages, setMessages] = useState<string[]>([]);
  const form = useTypedForm<ConfirmValues>({
    shouldFocusError: false,
    resolver: schemaResolver(confirmSchema),
    defaultValues: { password: '' },
  });
  const errorOf = useFieldError(form);

  async function confirm({ password }: ConfirmValues) {
    setMessages([]);
    try {
      await api().collection('users').confirmEmailChange(token, password);
      // What this browser still holds has ended on the server already.
      await endSession().catch(() => undefined);
      setState('done');
    } catch (error) {
      const problem = fieldProblems(error).find(({ path }) => path === 'token');
      if (problem) setState(problem.code === 'validation_existing_token_email' ? 'taken' : 'dead');
      else setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }

  const isNews = state !== link.state;
  if (state === 'dead' || state === 'taken') {
    return (
      <DeadLink {...(state === 'taken' ? { title: t('taken') } : {})} text={t(`why.${state}`)} isNews={isNews}>
        <Button asChild variant="primary" size="lg">
          <Link href={paths.profile}>{t('toProfile')}</Link>
        </Button>
      </DeadLink>
    );
  }
  const email = () => <b className="text-text font-medium">{link.newEmail}</b>;
  if (state === 'done') {
    return (
      <SignedOutCard
        isNews
        icon={<CircleCheck className="text-ok-text" aria-hidden="true" />}
        title={t('done.title')}
        text={t.rich('done.text', { email })}
      >
        <Button asChild variant="primary" size="lg" className="mt-5 w-full">
          <Link href={paths.login()}>{common('actions.logIn')}</Link>
        </Button>
      </SignedOutCard>
    );
  }
  return (
    <SignedOutCard title={t('title')} text={t.rich('text', { email })}>
      <form
        noValidate
        method="post"
        className="mt-5 grid gap-3.5"
        onSubmit={(event) => void form.handleSubmit(confirm, focusFirstWrong)(event)}
      >
        <PasswordField
          label={common('account.password')}
          autoComplete="current-password"
          autoFocus
          error={errorOf('password')}
          {...form.register('password')}
        />
        <div role="alert">{messages.length > 0 && <FieldError>{messages.join(' ')}</FieldError>}</div>
        <Button type="submit" variant="primary" size="lg" isBusy={form.formState.isSubmitting}>
          {t('submit')}
        </Button>
      </form>
    </SignedOutCard>
  );
}
