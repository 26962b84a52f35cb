'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout, FormSection } from '@/components/records/form-layout';
import { focusFirstWrong, listProblems, useFieldError } from '@/components/records/form-problems';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { applyAccountProblems } from '../fields/account-problems';
import { Choice } from '@/components/ui/choice';
import { LanguageField } from '../fields/language-field';
import { PasswordChecks } from '../fields/password-checks';
import { PasswordField } from '../fields/password-field';
import { emailSchema, nameSchema, passwordSchema, usernameSchema } from '../fields/password-rules';
import { SaveActions } from '@/components/records/save-actions';

const userSchema = z
  .object({
    name: nameSchema,
    username: usernameSchema,
    email: emailSchema.or(z.literal('')),
    verified: z.boolean(),
    emailVisibility: z.boolean(),
    isAdmin: z.boolean(),
    language: z.string(),
    password: passwordSchema.or(z.literal('')),
    passwordConfirm: z.string(),
  })
  .refine((values) => values.password === values.passwordConfirm, {
    path: ['passwordConfirm'],
    message: 'passwordsDoNotMatch',
  });
type UserValues = z.infer<typeof userSchema>;

const SWITCHES = ['verified', 'emailVisibility', 'isAdmin'] as const;

/** What admins change of another person's account. */
export function UserSettings({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users.settings');
  const account = useTranslations('common.account');
  const common = useTranslations('common');
  const { form, messages, save } = useUserForm(user);
  const errorOf = useFieldError(form);
  const password = useWatch({ control: form.control, name: 'password' });
  const wrong = listProblems(form.formState.errors).map((problem) => problem.path);
  const isWrong = (...fields: string[]) => wrong.some((path) => fields.includes(path));

  return (
    <FormLayout
      indexLabel={common('form.index')}
      sections={[
        { id: 'account', label: t('account'), isWrong: isWrong('name', 'username', 'email') },
        { id: 'rights', label: t('rights'), isWrong: isWrong(...SWITCHES) },
        { id: 'password', label: t('password'), isWrong: isWrong('password', 'passwordConfirm') },
      ]}
      onSubmit={() => void save()}
      bar={
        <SaveActions
          form={form}
          messages={messages}
          labelOf={(path) => account(path as 'name')}
          onDiscard={() => form.reset(pick(user), { keepDirtyValues: false })}
        />
      }
    >
      <FormSection id="account" title={t('account')}>
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <Field label={account('name')} error={errorOf('name')}>
            {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
          </Field>
          <Field label={account('username')} error={errorOf('username')}>
            {(control) => (
              <Input {...control} autoComplete="off" autoCapitalize="none" {...form.register('username')} />
            )}
          </Field>
        </div>
        <Field label={account('email')} error={errorOf('email')}>
          {(control) => <Input {...control} type="email" autoComplete="off" {...form.register('email')} />}
        </Field>
        <Controller
          control={form.control}
          name="language"
          render={({ field }) => <LanguageField value={field.value} onChange={field.onChange} />}
        />
      </FormSection>
      <FormSection id="rights" title={t('rights')}>
        {SWITCHES.map((name) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            render={({ field }) => (
              <Choice
                name={name}
                label={account(name)}
                hint={account(`${name}Hint`)}
                error={errorOf(name)}
                checked={field.value}
                onChange={field.onChange}
              />
            )}
          />
        ))}
      </FormSection>
      <FormSection id="password" title={t('password')} text={t('passwordText')} isLast>
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <PasswordField
            size="md"
            label={account('newPassword')}
            autoComplete="new-password"
            error={errorOf('password')}
            hint={<PasswordChecks value={password} />}
            {...form.register('password')}
          />
          <PasswordField
            size="md"
            label={account('passwordConfirm')}
            autoComplete="new-password"
            error={errorOf('passwordConfirm')}
            {...form.register('passwordConfirm')}
          />
        </div>
      </FormSection>
    </FormLayout>
  );
}

function useUserForm(user: UserRecord) {
  const common = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<UserValues>({
    shouldFocusError: false,
    resolver: zodResolver(userSchema),
    values: pick(user),
    resetOptions: { keepDirtyValues: true },
  });
  useUnsavedGuard(form.formState.isDirty);

  const save = form.handleSubmit(async ({ password, passwordConfirm, ...values }) => {
    setMessages([]);
    try {
      const body = password === '' ? values : { ...values, password, passwordConfirm };
      const saved = await (await ready()).collection('users').update<UserRecord>(user.id, body);
      form.reset(pick(saved), { keepDirtyValues: false });
      tell.done(common('told.saved', { name: values.name }));
      await refresh('users');
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }, focusFirstWrong);
  return { form, messages, save };
}

function pick(user: UserRecord): UserValues {
  const { name, username, verified, emailVisibility, isAdmin } = user;
  const passwords = { password: '', passwordConfirm: '' };
  const language = user.language || 'en';
  return { name, username, email: user.email ?? '', verified, emailVisibility, isAdmin, language, ...passwords };
}
