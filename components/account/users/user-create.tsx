'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTypedForm } from '@/components/records/use-typed-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import { useTell } from '@/components/data/use-tell';
import { FormSwitch } from '@/components/records/form-field';
import { FormLayout, FormSection } from '@/components/records/form-layout';
import { focusFirstWrong, listProblems, useFieldError } from '@/components/records/form-problems';
import { PageHead } from '@/components/records/page-head';
import { SaveBar } from '@/components/records/save-bar';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { ModKbd } from '@/components/ui/mod-kbd';
import { paths } from '@/lib/paths';
import { applyAccountProblems } from '../fields/account-problems';
import { NewPasswordFields } from '../fields/new-password-fields';
import { accountSchema } from '../fields/password-rules';
import { PicturePicker, type PickedPicture } from '@/components/records/picture-picker';

const userSchema = accountSchema.and(z.object({ isAdmin: z.boolean(), emailVisibility: z.boolean() }));
type UserValues = z.infer<typeof userSchema>;

export function UserCreate() {
  const t = useTranslations('pages.users.create');
  const account = useTranslations('common.account');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [messages, setMessages] = useState<string[]>([]);
  const [picture, setPicture] = useState<PickedPicture>();
  const [isDone, setDone] = useState(false);
  const form = useTypedForm<UserValues>({
    shouldFocusError: false,
    resolver: schemaResolver(userSchema),
    defaultValues: {
      name: '',
      username: '',
      email: '',
      password: '',
      passwordConfirm: '',
      isAdmin: false,
      emailVisibility: false,
    },
  });
  const errorOf = useFieldError(form);
  const problems = listProblems(form.formState.errors);
  useUnsavedGuard(form.formState.isDirty && !isDone);

  const create = form.handleSubmit(async (values) => {
    setMessages([]);
    try {
      await (await ready()).collection('users').create({ ...values, ...(picture ? { avatar: picture } : {}) });
      setDone(true);
      tell.done(common('told.created', { name: values.name }));
      await refresh('users');
      router.push(paths.users);
    } catch (error) {
      setMessages(applyAccountProblems(form, error, common('errors.general')));
      tell.refused(error);
    }
  }, focusFirstWrong);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead title={t('title')} />
      <FormLayout
        isNew
        indexLabel={common('form.index')}
        sections={[
          { id: 'account', label: t('account'), isWrong: problems.length > 0 },
          { id: 'rights', label: t('rights') },
        ]}
        onSubmit={() => void create()}
        bar={
          <SaveBar
            problems={problems}
            labelOf={(path) => account(path as 'name')}
            messages={messages}
            actions={
              <Button type="submit" variant="primary" data-key-save="" isBusy={form.formState.isSubmitting}>
                {t('submit')}
                <ModKbd letter="↵" isOnAccent />
              </Button>
            }
          />
        }
      >
        <FormSection id="account" title={t('account')}>
          <PicturePicker picture={picture} onPick={setPicture} />
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
          <NewPasswordFields form={form} />
        </FormSection>
        <FormSection id="rights" title={t('rights')} isLast>
          {(['isAdmin', 'emailVisibility'] as const).map((name) => (
            <FormSwitch key={name} form={form} name={name} label={account(name)} hint={account(`${name}Hint`)} />
          ))}
        </FormSection>
      </FormLayout>
    </div>
  );
}
