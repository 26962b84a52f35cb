'use client';

import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import type { SettingRecord } from '@/components/data/types';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { readNumber } from '@/components/records/read-number';
import { RecordForm } from '@/components/records/record-form';
import { Input } from '@/components/ui/input';
import { ForwardAuthEntries } from './forward-auth-entries';
import { forwardAuthSchema, toBody, toValues, type ForwardAuthValues } from './forward-auth-values';
import { applySettingProblems } from './setting-problems';
import { SettingPage } from './setting-page';
import { useSettingSource } from './use-setting';

const COOKIES = ['authCookie', 'csrfCookie'] as const;

/** How people log in at protected addresses of workspaces. */
export function ForwardAuthTab() {
  return <SettingPage settingKey="forwardAuth">{(setting) => <ForwardAuthForm setting={setting} />}</SettingPage>;
}

function ForwardAuthForm({ setting }: { setting: SettingRecord | null }) {
  const t = useTranslations('pages.settings.forwardAuth');
  return (
    <RecordForm
      source={useSettingSource('forwardAuth', setting)}
      schema={forwardAuthSchema}
      toValues={toValues}
      toBody={toBody}
      nameOf={() => t('name')}
      applyProblems={applySettingProblems}
      canEdit
      sections={(isWrong) => [
        { id: 'login', label: t('login'), isWrong: isWrong(...COOKIES, 'lifetime', 'ports', 'insecureCookies') },
        { id: 'entries', label: t('entries'), isWrong: isWrong('entries') },
      ]}
      labelOf={(path) => {
        const [name, index, field] = path.split('.');
        if (!field) return name === 'entries' ? t('entries') : t(`fields.${name as 'lifetime'}`);
        return t('entryOf', { field: t(`fields.${field as 'name'}`), row: Number(index) + 1 });
      }}
    >
      {(form) => (
        <>
          <LoginSection form={form} />
          <ForwardAuthEntries form={form} />
        </>
      )}
    </RecordForm>
  );
}

function LoginSection({ form }: { form: UseFormReturn<ForwardAuthValues> }) {
  const t = useTranslations('pages.settings.forwardAuth');
  return (
    <FormSection id="login" title={t('login')} text={t('loginText')}>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        {COOKIES.map((name) => (
          <FormField key={name} form={form} name={name} label={t(`fields.${name}`)} hint={t(`hints.${name}`)}>
            {(control) => <Input {...control} {...form.register(name)} isMono spellCheck={false} autoComplete="off" />}
          </FormField>
        ))}
        <FormField form={form} name="lifetime" label={t('fields.lifetime')} hint={t('hints.lifetime')}>
          {(control) => (
            <Input {...control} {...form.register('lifetime', { setValueAs: readNumber })} inputMode="numeric" />
          )}
        </FormField>
        <FormField form={form} name="ports" label={t('fields.ports')} hint={t('hints.ports')}>
          {(control) => <Input {...control} {...form.register('ports')} isMono autoComplete="off" />}
        </FormField>
      </div>
      <FormSwitch
        form={form}
        name="insecureCookies"
        label={t('fields.insecureCookies')}
        hint={t('hints.insecureCookies')}
      />
    </FormSection>
  );
}
