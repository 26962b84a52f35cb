'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm, type FieldPath, type UseFormReturn } from 'react-hook-form';
import { fieldProblems, messageOf, statusOf } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { FormLayout } from '@/components/records/form-layout';
import { focusFirstWrong, listProblems } from '@/components/records/form-problems';
import { SaveBar } from '@/components/records/save-bar';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/parts';
import { SsoChecks } from './sso-checks';
import { AddressSection, ClientSection, ProfileSection, ProviderSection } from './sso-sections';
import { ssoFormSchema, toForm, toSetting, type SsoValues } from './sso-values';

interface SsoFormProps {
  stored: unknown;
  save: (value: unknown) => Promise<void>;
  hasSecret: boolean;
  redirectUrl: string;
}

/** The provider that people log in through, and a test of what is in the form. */
export function SsoForm({ stored, save, hasSecret, redirectUrl }: SsoFormProps) {
  const t = useTranslations('pages.settings.sso');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const [messages, setMessages] = useState<string[]>([]);
  const form = useForm<SsoValues>({
    shouldFocusError: false,
    resolver: zodResolver(ssoFormSchema),
    values: toForm(stored),
    resetOptions: { keepDirtyValues: true },
  });
  const { isDirty, isSubmitting, errors } = form.formState;
  const problems = listProblems(errors);
  const isWrong = (...names: string[]) => problems.some(({ path }) => names.includes(path.split('.')[0] ?? ''));
  useUnsavedGuard(isDirty);

  const refused = (error: unknown) => setMessages(showProblems(form, error, common('errors.general')));
  const submit = form.handleSubmit(async (values) => {
    setMessages([]);
    try {
      const value = toSetting(values);
      await save(value);
      form.reset(toForm(value));
      tell.done(common('told.saved', { name: t('name') }));
      // Whether a secret is stored is known to the server alone.
      router.refresh();
    } catch (error) {
      refused(error);
    }
  }, focusFirstWrong);

  return (
    <FormLayout
      indexLabel={common('form.index')}
      sections={[
        { id: 'provider', label: t('provider'), isWrong: isWrong('enabled', 'displayName') },
        { id: 'credentials', label: t('credentials'), isWrong: isWrong('clientId', 'clientSecret') },
        { id: 'addresses', label: t('addresses'), isWrong: isWrong('authUrl', 'tokenUrl', 'userInfoUrl') },
        { id: 'profile', label: t('profile'), isWrong: isWrong('mappedFields', 'scopes') },
        { id: 'try', label: t('try') },
      ]}
      onSubmit={() => void submit()}
      bar={
        <SaveBar
          problems={problems}
          labelOf={(path) => t(`fields.${path as 'clientId'}`)}
          messages={messages}
          note={isDirty ? common('form.unsaved') : undefined}
          actions={
            <>
              {isDirty && (
                <Button variant="ghost" onClick={() => form.reset(toForm(stored))}>
                  {common('actions.discard')}
                </Button>
              )}
              <Button type="submit" variant="primary" data-key-save="" disabled={!isDirty} isBusy={isSubmitting}>
                {common('actions.save')}
                <Kbd isOnAccent>⌘↵</Kbd>
              </Button>
            </>
          }
        />
      }
    >
      <ProviderSection form={form} />
      <ClientSection form={form} hasSecret={hasSecret} redirectUrl={redirectUrl} />
      <AddressSection form={form} />
      <ProfileSection form={form} />
      <SsoChecks read={() => toSetting(form.getValues())} onRefused={refused} />
    </FormLayout>
  );
}

/** Puts the server's problems beside their fields; returns those that belong to none. */
function showProblems(form: UseFormReturn<SsoValues>, error: unknown, fallback: string): string[] {
  if (statusOf(error) === 401) return [];
  const problems = fieldProblems(error);
  if (problems.length === 0) return [messageOf(error) ?? fallback];
  for (const { path, code, message } of problems) {
    // Settings name their value first, and scopes by their place in the list.
    const field = path.replace(/^value\./, '').replace(/^scopes\..*/, 'scopes') as FieldPath<SsoValues>;
    form.setError(field, { type: 'server', message: code === 'validation_required' ? 'required' : message });
  }
  focusFirstWrong();
  return [];
}
