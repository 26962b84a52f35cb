'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout, FormSection } from '@/components/records/form-layout';
import { focusFirstWrong, listProblems, useFieldError } from '@/components/records/form-problems';
import { avatarUrl } from '@/components/records/person';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { applyAccountProblems } from '../fields/account-problems';
import { ChangeEmailDialog } from './change-email-dialog';
import { Choice } from '@/components/ui/choice';
import { EmailState } from './email-state';
import { LanguageField } from '../fields/language-field';
import { nameSchema, usernameSchema } from '../fields/password-rules';
import { PicturePicker, type PickedPicture } from '../fields/picture-picker';
import { SaveActions } from '@/components/records/save-actions';
import { ThemeChoice } from './theme-choice';

const profileSchema = z.object({
  avatar: z.custom<PickedPicture>().optional(),
  name: nameSchema,
  username: usernameSchema,
  emailVisibility: z.boolean(),
  language: z.string(),
});
type ProfileValues = z.infer<typeof profileSchema>;

/** What everyone may change of their own account. */
export function ProfileForm({ user, hasMailServer }: { user: UserRecord; hasMailServer: boolean }) {
  const t = useTranslations('pages.profile');
  const account = useTranslations('common.account');
  const common = useTranslations('common');
  const [isChanging, setChanging] = useState(false);
  const { form, messages, save } = useProfileForm(user);
  const errorOf = useFieldError(form);
  const problems = listProblems(form.formState.errors);

  return (
    <>
      <FormLayout
        indexLabel={common('form.index')}
        sections={[
          { id: 'person', label: t('person'), isWrong: problems.length > 0 },
          { id: 'email', label: account('email') },
          { id: 'look', label: t('look') },
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
        <FormSection id="person" title={t('person')}>
          <Controller
            control={form.control}
            name="avatar"
            render={({ field }) => (
              <PicturePicker picture={field.value} onPick={field.onChange} storedUrl={avatarUrl(user)} />
            )}
          />
          <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
            <Field label={account('name')} error={errorOf('name')}>
              {(control) => <Input {...control} autoComplete="name" {...form.register('name')} />}
            </Field>
            <Field label={account('username')} error={errorOf('username')}>
              {(control) => (
                <Input {...control} autoComplete="username" autoCapitalize="none" {...form.register('username')} />
              )}
            </Field>
          </div>
        </FormSection>
        <FormSection id="email" title={account('email')}>
          <EmailState user={user} hasMailServer={hasMailServer} onChange={() => setChanging(true)} />
          <Controller
            control={form.control}
            name="emailVisibility"
            render={({ field }) => (
              <Choice
                label={account('emailVisibility')}
                hint={account('emailVisibilityHint')}
                checked={field.value}
                onChange={field.onChange}
              />
            )}
          />
        </FormSection>
        <FormSection id="look" title={t('look')} isLast>
          <Controller
            control={form.control}
            name="language"
            render={({ field }) => <LanguageField value={field.value} onChange={field.onChange} />}
          />
          <ThemeChoice />
        </FormSection>
      </FormLayout>
      {isChanging && (
        <ChangeEmailDialog email={user.email ?? ''} hasMailServer={hasMailServer} onClose={() => setChanging(false)} />
      )}
    </>
  );
}

function useProfileForm(user: UserRecord) {
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<ProfileValues>({
    shouldFocusError: false,
    resolver: zodResolver(profileSchema),
    values: pick(user),
    resetOptions: { keepDirtyValues: true },
  });
  useUnsavedGuard(form.formState.isDirty);

  const save = form.handleSubmit(async ({ avatar, ...values }) => {
    setMessages([]);
    try {
      const body = avatar === undefined ? values : { ...values, avatar };
      const saved = await (await ready()).collection('users').update<UserRecord>(user.id, body);
      form.reset(pick(saved), { keepDirtyValues: false });
      tell.done(common('told.saved', { name: values.name }));
      await refresh('users');
      // The sidebar shows the person as the server's layout knows them.
      router.refresh();
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }, focusFirstWrong);
  return { form, messages, save };
}

function pick({ name, username, emailVisibility, language }: UserRecord): ProfileValues {
  return { avatar: undefined, name, username, emailVisibility, language: language || 'en' };
}
