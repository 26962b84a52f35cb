'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { TriangleAlert } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import { useNow } from '@/components/data/use-now';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { Select } from '@/components/ui/select';
import { applyAccountProblems } from '../fields/account-problems';
import { MadeToken, type NewToken } from './made-token';
import { nameSchema } from '../fields/password-rules';
import { RadioList } from '@/components/ui/radio-list';
import { useRefreshSecurity } from './security-queries';

const DAY_MS = 86_400_000;
const SCOPES = ['read', 'full'] as const;
const DAYS = ['7', '30', '90', '365'] as const;

const tokenSchema = z.object({
  name: nameSchema,
  scope: z.enum(SCOPES),
  expiresInDays: z.enum([...DAYS, 'never']),
});
type TokenValues = z.infer<typeof tokenSchema>;

/** Makes an API token and shows it, once. */
export function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('pages.security.tokens');
  const common = useTranslations('common');
  const formId = useId();
  const { form, made, messages, make } = useNewToken();
  const errorOf = useFieldError(form);
  const expiresInDays = useWatch({ control: form.control, name: 'expiresInDays' });
  if (made) return <MadeToken made={made} onClose={onClose} />;

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('make')}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" isBusy={form.formState.isSubmitting}>
            {t('submit')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-3.5"
        onSubmit={(event) => void form.handleSubmit(make, focusFirstWrong)(event)}
      >
        <Field label={t('name')} hint={t('nameHint')} error={errorOf('name')}>
          {(control) => <Input {...control} autoComplete="off" autoFocus {...form.register('name')} />}
        </Field>
        <Controller
          control={form.control}
          name="scope"
          render={({ field }) => (
            <RadioList
              label={t('scope')}
              value={field.value}
              onChange={field.onChange}
              options={SCOPES.map((scope) => ({
                value: scope,
                label: t(`scopes.${scope}`),
                text: t(`scopeText.${scope}`),
              }))}
            />
          )}
        />
        <Controller
          control={form.control}
          name="expiresInDays"
          render={({ field }) => (
            <Field
              label={t('expiry')}
              error={errorOf('expiresInDays')}
              hint={field.value === 'never' ? undefined : <EndDate days={Number(field.value)} />}
            >
              {(control) => (
                <Select
                  {...control}
                  className="w-52"
                  value={field.value}
                  onValueChange={field.onChange}
                  options={[
                    ...DAYS.map((days) => ({ value: days, label: t(`days.${days}`) })),
                    { value: 'never', label: t('never') },
                  ]}
                />
              )}
            </Field>
          )}
        />
        {expiresInDays === 'never' && (
          <Notice tone="warn" icon={<TriangleAlert aria-hidden="true" />}>
            {t('neverWarn')}
          </Notice>
        )}
        <div role="alert" className="empty:hidden">
          {messages.length > 0 && <FieldError>{messages.join(' ')}</FieldError>}
        </div>
      </form>
    </Dialog>
  );
}

function EndDate({ days }: { days: number }) {
  const t = useTranslations('pages.security.tokens');
  const format = useFormatter();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return t('endsOn', { date: format.dateTime(useNow() + days * DAY_MS, { dateStyle: 'medium', timeZone }) });
}

function useNewToken() {
  const common = useTranslations('common.errors');
  const refresh = useRefreshSecurity();
  const [made, setMade] = useState<NewToken>();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<TokenValues>({
    shouldFocusError: false,
    resolver: schemaResolver(tokenSchema),
    defaultValues: { name: '', scope: 'read', expiresInDays: '30' },
  });

  async function make(values: TokenValues) {
    setMessages([]);
    const expiresInDays = values.expiresInDays === 'never' ? null : Number(values.expiresInDays);
    try {
      const body = { ...values, expiresInDays };
      setMade(await (await ready()).send<NewToken>('/api/tokens', { method: 'POST', body }));
      await refresh();
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('general')));
    }
  }
  return { form, made, messages, make };
}
