'use client';

import { useTranslations } from 'next-intl';
import { z } from 'zod';
import type { UserRecord } from '@/components/data/types';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { displayName } from '@/components/records/person';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { Input } from '@/components/ui/input';
import { applyAccountProblems } from '../fields/account-problems';
import { LanguageField } from '../fields/language-field';
import { NewPasswordFields } from '../fields/new-password-fields';
import { emailSchema, nameSchema, passwordSchema, usernameSchema } from '../fields/password-rules';

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
const PASSWORDS = ['password', 'passwordConfirm'] as const;

/** What admins change of another person's account. */
export function UserSettings({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users.settings');
  const account = useTranslations('common.account');
  return (
    <RecordForm
      source={useRecordSource('users', user)}
      schema={userSchema}
      toValues={toValues}
      nameOf={displayName}
      applyProblems={applyAccountProblems}
      canEdit
      sections={(isWrong) => [
        { id: 'account', label: t('account'), isWrong: isWrong('name', 'username', 'email', 'language') },
        { id: 'rights', label: t('rights'), isWrong: isWrong(...SWITCHES) },
        { id: 'password', label: t('password'), isWrong: isWrong(...PASSWORDS) },
      ]}
      labelOf={(path) => account(path as 'name')}
    >
      {(form) => (
        <>
          <FormSection id="account" title={t('account')}>
            <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
              <FormField form={form} name="name" label={account('name')}>
                {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
              </FormField>
              <FormField form={form} name="username" label={account('username')}>
                {(control) => (
                  <Input {...control} autoComplete="off" autoCapitalize="none" {...form.register('username')} />
                )}
              </FormField>
            </div>
            <FormField form={form} name="email" label={account('email')}>
              {(control) => <Input {...control} type="email" autoComplete="off" {...form.register('email')} />}
            </FormField>
            <LanguageField form={form} name="language" />
          </FormSection>
          <FormSection id="rights" title={t('rights')}>
            {SWITCHES.map((name) => (
              <FormSwitch key={name} form={form} name={name} label={account(name)} hint={account(`${name}Hint`)} />
            ))}
          </FormSection>
          <FormSection id="password" title={t('password')} text={t('passwordText')} isLast>
            <NewPasswordFields form={form} isReplacing />
          </FormSection>
        </>
      )}
    </RecordForm>
  );
}

function toValues(user: UserRecord): UserValues {
  const { name, username, verified, emailVisibility, isAdmin = false, language = '' } = user;
  const passwords = { password: '', passwordConfirm: '' };
  return { name, username, email: user.email ?? '', verified, emailVisibility, isAdmin, language, ...passwords };
}
