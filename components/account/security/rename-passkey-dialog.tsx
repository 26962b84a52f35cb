'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { applyAccountProblems } from '../fields/account-problems';
import { nameSchema } from '../fields/password-rules';
import { useRefreshSecurity } from './security-queries';

const renameSchema = z.object({ name: nameSchema });
type RenameValues = z.infer<typeof renameSchema>;

interface RenamePasskeyDialogProps {
  passkey: { id: string; name: string };
  onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const t = useTranslations('pages.security.renaming');
  const common = useTranslations('common');
  const formId = useId();
  const tell = useTell();
  const refresh = useRefreshSecurity();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<RenameValues>({
    shouldFocusError: false,
    resolver: schemaResolver(renameSchema),
    defaultValues: { name: passkey.name },
  });
  const errorOf = useFieldError(form);

  async function rename(body: RenameValues) {
    setMessages([]);
    try {
      await (await ready()).send(`/api/passkeys/${passkey.id}`, { method: 'PATCH', body });
      tell.done(common('told.saved', { name: body.name }));
      await refresh();
      onClose();
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title', { name: passkey.name })}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={form.formState.isSubmitting}>
            {common('actions.save')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void form.handleSubmit(rename, focusFirstWrong)(event)}>
        <Field label={t('name')} error={errorOf('name')}>
          {(control) => <Input {...control} autoComplete="off" autoFocus {...form.register('name')} />}
        </Field>
        <div role="alert">{messages.length > 0 && <FieldError>{messages.join(' ')}</FieldError>}</div>
      </form>
    </Dialog>
  );
}
