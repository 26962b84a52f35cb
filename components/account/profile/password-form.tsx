'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { ShieldCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { changePassword } from '@/components/data/client';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { FormLayout, FormSection } from '@/components/records/form-layout';
import { focusFirstWrong, listProblems, useFieldError } from '@/components/records/form-problems';
import { SaveActions } from '@/components/records/save-actions';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Notice } from '@/components/ui/notice';
import { paths } from '@/lib/paths';
import { applyAccountProblems } from '../fields/account-problems';
import { NewPasswordFields } from '../fields/new-password-fields';
import { PasswordField } from '../fields/password-field';
import { newPasswordSchema } from '../fields/password-rules';
import { useCodePrompt } from '../sign-in/use-code-prompt';

const changeSchema = newPasswordSchema.and(z.object({ oldPassword: z.string().min(1, 'required') }));
type ChangeValues = z.infer<typeof changeSchema>;
const EMPTY: ChangeValues = { oldPassword: '', password: '', passwordConfirm: '' };

/** Changes one's own password. All log-ins end with the old one; this tab logs in again by itself. */
export function PasswordForm({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.profile.password');
  const account = useTranslations('common.account');
  const common = useTranslations('common');
  const { form, messages, isDone, save, prompt } = usePasswordForm(user);
  const errorOf = useFieldError(form);
  const problems = listProblems(form.formState.errors);

  return (
    <>
      <FormLayout
        indexLabel={common('form.index')}
        sections={[{ id: 'new-password', label: account('password'), isWrong: problems.length > 0 }]}
        onSubmit={() => void save()}
        bar={
          <SaveActions
            isDirty={form.formState.isDirty}
            isSubmitting={form.formState.isSubmitting}
            problems={problems}
            messages={messages}
            labelOf={(path) => account(path as 'password')}
            saveLabel={t('submit')}
            onDiscard={() => form.reset(EMPTY)}
          />
        }
      >
        <FormSection id="new-password" title={t('title')} text={t('text')} isLast>
          <div role="status" className="empty:hidden">
            {isDone && (
              <Notice tone="accent" icon={<ShieldCheck aria-hidden="true" />}>
                {t('done')} <span className="text-text-2">{t('doneText')}</span>
              </Notice>
            )}
          </div>
          <div className="max-w-80 max-sm:max-w-none">
            <PasswordField
              size="md"
              label={account('oldPassword')}
              autoComplete="current-password"
              error={errorOf('oldPassword')}
              {...form.register('oldPassword')}
            />
          </div>
          <NewPasswordFields form={form} isReplacing />
        </FormSection>
      </FormLayout>
      {prompt}
    </>
  );
}

function usePasswordForm(user: UserRecord) {
  const t = useTranslations('pages.profile.password');
  const common = useTranslations('common');
  const tell = useTell();
  const [messages, setMessages] = useState<string[]>([]);
  const [isDone, setDone] = useState(false);
  const form = useForm<ChangeValues>({
    shouldFocusError: false,
    resolver: schemaResolver(changeSchema),
    defaultValues: EMPTY,
  });
  const { finishSignIn, prompt } = useCodePrompt();
  useUnsavedGuard(form.formState.isDirty);

  const save = form.handleSubmit(async (values) => {
    setMessages([]);
    setDone(false);
    try {
      const isLoggedIn = await changePassword(user.id, { ...values, identity: user.username, finishSignIn });
      form.reset(EMPTY);
      tell.done(t('done'), isLoggedIn ? t('doneText') : t('logIn'));
      if (isLoggedIn) setDone(true);
      else window.location.assign(paths.login(paths.profile));
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('errors.general')));
    }
  }, focusFirstWrong);
  return { form, messages, isDone, save, prompt };
}
