'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import clsx from 'clsx';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { RecordModel } from 'pocketbase';
import { useState, type ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTypedForm } from '@/components/records/use-typed-form';
import { z } from 'zod';
import { api, startSession } from '@/components/data/client';
import { statusOf } from '@/components/data/problems';
import { focusFirstWrong, useFieldError } from '@/components/records/form-problems';
import { Button } from '@/components/ui/button';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { paths } from '@/lib/paths';
import { applyAccountProblems } from '../fields/account-problems';
import { NewPasswordFields } from '../fields/new-password-fields';
import { accountSchema, type AccountValues } from '../fields/password-rules';
import { PicturePicker, type PickedPicture } from '@/components/records/picture-picker';

const STEPS = ['account', 'host', 'image', 'workspace'] as const;

/** With `asksCode` the console is reached over a network: whoever sets it up proves that it is theirs. */
export function FirstStepsForm({ asksCode }: { asksCode: boolean }) {
  const t = useTranslations('pages.firstSteps');
  return (
    <div className="grid w-full max-w-[820px] grid-cols-[1fr_minmax(0,440px)] items-start gap-16 py-8 max-lg:grid-cols-1 max-lg:gap-8">
      <div className="pt-6">
        <h1 className="text-display font-semibold tracking-[-0.02em]">{t('heading')}</h1>
        <p className="text-text-2 mt-2 max-w-80">{t('text')}</p>
        <ol className="mt-7 grid gap-6 max-lg:hidden">
          {STEPS.map((step, index) => (
            <li
              key={step}
              className="not-last:after:bg-line-strong relative flex gap-3 not-last:after:absolute not-last:after:top-7 not-last:after:left-[11.5px] not-last:after:h-8 not-last:after:w-px"
            >
              <span
                className={clsx(
                  'text-small grid size-6 shrink-0 place-items-center rounded-full font-medium',
                  index === 0
                    ? 'bg-accent text-on-accent'
                    : 'bg-surface text-text-2 ring-line-strong ring-1 ring-inset',
                )}
              >
                {index + 1}
              </span>
              <span>
                <span className={clsx('block font-medium', index > 0 && 'text-text-2')}>
                  {t(`steps.${step}.title`)}
                </span>
                <span className="text-table text-text-3 block">{t(`steps.${step}.text`)}</span>
              </span>
            </li>
          ))}
        </ol>
      </div>
      <AccountForm asksCode={asksCode} />
    </div>
  );
}

const setupSchema = accountSchema.and(z.object({ code: z.string() }));
type SetupValues = AccountValues & { code: string };

function AccountForm({ asksCode }: { asksCode: boolean }) {
  const t = useTranslations('pages.firstSteps');
  const account = useTranslations('common.account');
  const common = useTranslations('common');
  const router = useRouter();
  const [picture, setPicture] = useState<PickedPicture>();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useTypedForm<SetupValues>({
    shouldFocusError: false,
    resolver: schemaResolver(
      setupSchema.refine(({ code }) => !asksCode || code.trim() !== '', { path: ['code'], message: 'required' }),
    ),
    defaultValues: { code: '', name: '', username: '', email: '', password: '', passwordConfirm: '' },
  });
  const errorOf = useFieldError(form);

  async function create(values: SetupValues) {
    setMessages([]);
    const body = new FormData();
    for (const [key, value] of Object.entries(values)) body.append(key, value);
    body.append('isAdmin', 'true');
    if (picture) body.append('avatar', picture);
    try {
      const answer = await api().send<{ token: string; record: RecordModel }>('/api/setup', { method: 'POST', body });
      api().authStore.save(answer.token, answer.record);
      await startSession();
      router.replace(paths.workspaces);
      router.refresh();
    } catch (error) {
      setMessages(statusOf(error) === 403 ? [t('done')] : applyAccountProblems(form, error, common('errors.general')));
      // Someone else was first, or the time is over: the page knows which.
      if (statusOf(error) === 403) router.refresh();
    }
  }

  return (
    <form
      noValidate
      method="post"
      className="border-line-strong bg-surface shadow-control grid gap-3.5 rounded-lg border p-7"
      onSubmit={(event) => void form.handleSubmit(create, focusFirstWrong)(event)}
    >
      {asksCode && <SetupCodeField form={form} />}
      <PicturePicker picture={picture} onPick={setPicture} />
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        <Field label={account('name')} error={errorOf('name')}>
          {(control) => <Input {...control} size="lg" autoComplete="name" {...form.register('name')} />}
        </Field>
        <Field label={account('username')} error={errorOf('username')}>
          {(control) => (
            <Input
              {...control}
              size="lg"
              autoComplete="username"
              autoCapitalize="none"
              {...form.register('username')}
            />
          )}
        </Field>
      </div>
      <Field label={account('email')} error={errorOf('email')}>
        {(control) => <Input {...control} size="lg" type="email" autoComplete="email" {...form.register('email')} />}
      </Field>
      <NewPasswordFields form={form} size="lg" />
      <div role="alert">{messages.length > 0 && <FieldError>{messages.join(' ')}</FieldError>}</div>
      <Button type="submit" variant="primary" size="lg" isBusy={form.formState.isSubmitting}>
        {t('submit')}
      </Button>
    </form>
  );
}

function SetupCodeField({ form }: { form: UseFormReturn<SetupValues> }) {
  const t = useTranslations('pages.firstSteps.code');
  const errorOf = useFieldError(form);
  const command = (text: ReactNode) => <code className="mono">{text}</code>;
  return (
    <Field label={t('label')} hint={t.rich('hint', { command })} error={errorOf('code')}>
      {(control) => (
        <Input
          {...control}
          size="lg"
          isMono
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="XXXX-XXXX"
          {...form.register('code')}
        />
      )}
    </Field>
  );
}
