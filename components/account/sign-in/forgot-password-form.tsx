'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { Inbox, MailCheck } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTypedForm } from '@/components/records/use-typed-form';
import { z } from 'zod';
import { api } from '@/components/data/client';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { paths } from '@/lib/paths';
import { applyAccountProblems } from '../fields/account-problems';
import { OutboxNote } from '../fields/outbox-note';
import { emailSchema } from '../fields/password-rules';
import { SignedOutCard } from './signed-out-card';
import { useMailPause } from '../fields/use-mail-pause';

const forgotSchema = z.object({ email: emailSchema });
type ForgotValues = z.infer<typeof forgotSchema>;

/** Asks for a mail that resets the password. What it says after is the same for every address. */
export function ForgotPasswordForm({ hasMailServer }: { hasMailServer: boolean }) {
  const t = useTranslations('pages.forgotPassword');
  const common = useTranslations('common');
  const [sentTo, setSentTo] = useState<string>();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useTypedForm<ForgotValues>({
    shouldFocusError: false,
    resolver: schemaResolver(forgotSchema),
    defaultValues: { email: '' },
  });
  const errorOf = useFieldError(form);

  async function send({ email }: ForgotValues) {
    setMessages([]);
    try {
      await api().collection('users').requestPasswordReset(email);
      setSentTo(email);
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }

  if (sentTo) return <MailSent email={sentTo} hasMailServer={hasMailServer} onOther={() => setSentTo(undefined)} />;
  return (
    <SignedOutCard title={t('title')} text={t('text')}>
      <form
        noValidate
        method="post"
        className="mt-5 grid gap-3.5"
        onSubmit={(event) => void form.handleSubmit(send, focusFirstWrong)(event)}
      >
        <Field label={common('account.email')} error={errorOf('email')}>
          {(control) => (
            <Input {...control} size="lg" type="email" autoComplete="email" autoFocus {...form.register('email')} />
          )}
        </Field>
        <div role="alert">{messages.length > 0 && <FieldError>{messages.join(' ')}</FieldError>}</div>
        {!hasMailServer && <OutboxNote />}
        <Button type="submit" variant="primary" size="lg" isBusy={form.formState.isSubmitting}>
          {t('submit')}
        </Button>
        <Button asChild variant="ghost" size="lg">
          <Link href={paths.login()}>{common('actions.toLogIn')}</Link>
        </Button>
      </form>
    </SignedOutCard>
  );
}

interface MailSentProps {
  email: string;
  hasMailServer: boolean;
  onOther: () => void;
}

function MailSent({ email, hasMailServer, onOther }: MailSentProps) {
  const t = useTranslations('pages.forgotPassword');
  const common = useTranslations('common');
  const pause = useMailPause({ isStarted: true });
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  async function resend() {
    setBusy(true);
    setFailed(false);
    await api()
      .collection('users')
      .requestPasswordReset(email)
      .then(pause.start, () => setFailed(true));
    setBusy(false);
  }

  const key = hasMailServer ? 'sent' : 'notSent';
  return (
    <SignedOutCard
      isNews
      icon={
        hasMailServer ? (
          <MailCheck className="text-accent-text" aria-hidden="true" />
        ) : (
          <Inbox className="text-warn-text" aria-hidden="true" />
        )
      }
      title={t(`${key}.title`)}
      text={
        <>
          <p>{t.rich(`${key}.text`, { email: () => <b className="text-text font-medium">{email}</b> })}</p>
          <p className="mt-2">{t('sent.next')}</p>
        </>
      }
    >
      <div className="mt-5 grid gap-2.5">
        <div role="alert">{hasFailed && <FieldError>{common('errors.general')}</FieldError>}</div>
        <Button size="lg" disabled={pause.secondsLeft > 0} isBusy={isBusy} onClick={() => void resend()}>
          {pause.secondsLeft > 0 ? common('mails.again', { seconds: pause.secondsLeft }) : common('mails.resend')}
        </Button>
        <Button variant="ghost" size="lg" onClick={onOther}>
          {t('sent.other')}
        </Button>
        <Button asChild variant="ghost" size="lg">
          <Link href={paths.login()}>{common('actions.toLogIn')}</Link>
        </Button>
      </div>
    </SignedOutCard>
  );
}
