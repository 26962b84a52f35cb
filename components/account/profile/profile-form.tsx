'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { z } from 'zod';
import type { UserRecord } from '@/components/data/types';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { avatarUrl, displayName } from '@/components/records/person';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { Input } from '@/components/ui/input';
import { applyAccountProblems } from '../fields/account-problems';
import { LanguageField } from '../fields/language-field';
import { nameSchema, usernameSchema } from '../fields/password-rules';
import { PicturePicker, type PickedPicture } from '@/components/records/picture-picker';
import { ChangeEmailDialog } from './change-email-dialog';
import { EmailState } from './email-state';
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
  const router = useRouter();
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <RecordForm
        source={useRecordSource('users', user)}
        schema={profileSchema}
        toValues={toValues}
        nameOf={displayName}
        applyProblems={applyAccountProblems}
        // The sidebar shows the person as the server's layout knows them.
        onSaved={() => router.refresh()}
        canEdit
        sections={(isWrong) => [
          { id: 'person', label: t('person'), isWrong: isWrong('avatar', 'name', 'username') },
          { id: 'email', label: account('email'), isWrong: isWrong('emailVisibility') },
          { id: 'look', label: t('look'), isWrong: isWrong('language') },
        ]}
        labelOf={(path) => account(path as 'name')}
      >
        {(form) => (
          <>
            <FormSection id="person" title={t('person')}>
              <Controller
                control={form.control}
                name="avatar"
                render={({ field }) => (
                  <PicturePicker picture={field.value} onPick={field.onChange} storedUrl={avatarUrl(user)} />
                )}
              />
              <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
                <FormField form={form} name="name" label={account('name')}>
                  {(control) => <Input {...control} autoComplete="name" {...form.register('name')} />}
                </FormField>
                <FormField form={form} name="username" label={account('username')}>
                  {(control) => (
                    <Input {...control} autoComplete="username" autoCapitalize="none" {...form.register('username')} />
                  )}
                </FormField>
              </div>
            </FormSection>
            <FormSection id="email" title={account('email')}>
              <EmailState user={user} hasMailServer={hasMailServer} onChange={() => setChanging(true)} />
              <FormSwitch
                form={form}
                name="emailVisibility"
                label={account('emailVisibility')}
                hint={account('emailVisibilityHint')}
              />
            </FormSection>
            <FormSection id="look" title={t('look')} isLast>
              <LanguageField form={form} name="language" />
              <ThemeChoice />
            </FormSection>
          </>
        )}
      </RecordForm>
      {isChanging && (
        <ChangeEmailDialog email={user.email ?? ''} hasMailServer={hasMailServer} onClose={() => setChanging(false)} />
      )}
    </>
  );
}

function toValues({ name, username, emailVisibility, language }: UserRecord): ProfileValues {
  return { avatar: undefined, name, username, emailVisibility, language: language ?? '' };
}
