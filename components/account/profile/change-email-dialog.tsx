'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { Inbox, MailCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { applyAccountProblems } from '../fields/account-problems';
import { OutboxNote } from '../fields/outbox-note';
import { emailSchema } from '../fields/password-rules';

const changeSchema = z.object({ newEmail: emailSchema });
type ChangeValues = z.infer<typeof changeSchema>;

interface ChangeEmailDialogProps {
  email: string;
  hasMailServer: boolean;
  onClose: () => void;
}

/** Asks for another address; it counts once the mail that goes there was answered. */
export function ChangeEmailDialog({ email, hasMailServer, onClose }: ChangeEmailDialogProps) {
  const t = useTranslations('pages.profile.changeEmail');
  const common = useTranslations('common');
  const formId = useId();
  const [sentTo, setSentTo] = useState<string>();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<ChangeValues>({
    shouldFocusError: false,
    resolver: schemaResolver(changeSchema),
    defaultValues: { newEmail: '' },
  });
  const errorOf = useFieldError(form);

  async function send({ newEmail }: ChangeValues) {
    setMessages([]);
    try {
      await (await ready()).collection('users').requestEmailChange(newEmail);
      setSentTo(newEmail);
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title')}
      description={email ? t('text', { email }) : undefined}
      closeLabel={common('actions.close')}
      actions={
        sentTo ? (
          <Button variant="primary" autoFocus onClick={onClose}>
            {common('actions.close')}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{common('actions.cancel')}</Button>
            <Button type="submit" form={formId} variant="primary" isBusy={form.formState.isSubmitting}>
              {t('submit')}
            </Button>
          </>
        )
      }
    >
      {sentTo ? (
        <div role="status">
          <Notice
            tone={hasMailServer ? 'accent' : 'warn'}
            icon={hasMailServer ? <MailCheck aria-hidden="true" /> : <Inbox aria-hidden="true" />}
          >
            {t.rich(hasMailServer ? 'sent' : 'notSent', {
              email: () => <b className="font-medium break-all">{sentTo}</b>,
            })}
          </Notice>
        </div>
      ) : (
        <form id={formId} noValidate onSubmit={(event) => void form.handleSubmit(send, focusFirstWrong)(event)}>
          <Field label={t('newEmail')} hint={t('hint')} error={errorOf('newEmail')}>
            {(control) => <Input {...control} type="email" autoComplete="email" {...form.register('newEmail')} />}
          </Field>
          <div role="alert">{messages.length > 0 && <FieldError>{messages.join(' ')}</FieldError>}</div>
          {!hasMailServer && (
            <div className="mt-3.5">
              <OutboxNote />
            </div>
          )}
        </form>
      )}
    </Dialog>
  );
}
