'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { SettingRecord } from '@/components/data/types';
import { RecordForm } from '@/components/records/record-form';
import { applySettingProblems } from './setting-problems';
import { SsoChecks } from './sso-checks';
import { AddressSection, ClientSection, ProfileSection, ProviderSection } from './sso-sections';
import { ssoFormSchema, toForm, toSetting } from './sso-values';
import { useSettingSource } from './use-setting';

interface SsoFormProps {
  setting: SettingRecord | null;
  hasSecret: boolean;
  redirectUrl: string;
}

const toValues = (setting: SettingRecord | null) => toForm(setting?.value);

/** The provider that people log in through, and a test of what is in the form. */
export function SsoForm({ setting, hasSecret, redirectUrl }: SsoFormProps) {
  const t = useTranslations('pages.settings.sso');
  const router = useRouter();
  return (
    <RecordForm
      source={useSettingSource('sso', setting)}
      schema={ssoFormSchema}
      toValues={toValues}
      toBody={toSetting}
      nameOf={() => t('name')}
      applyProblems={applySettingProblems}
      // Whether a secret is stored is known to the server alone.
      onSaved={() => router.refresh()}
      canEdit
      sections={(isWrong) => [
        { id: 'provider', label: t('provider'), isWrong: isWrong('enabled', 'displayName') },
        { id: 'credentials', label: t('credentials'), isWrong: isWrong('clientId', 'clientSecret') },
        { id: 'addresses', label: t('addresses'), isWrong: isWrong('authUrl', 'tokenUrl', 'userInfoUrl', 'pkce') },
        { id: 'profile', label: t('profile'), isWrong: isWrong('mappedFields', 'scopes', 'groupsClaim', 'trustEmail') },
        { id: 'try', label: t('try') },
      ]}
      labelOf={(path) => t(`fields.${path as 'clientId'}`)}
    >
      {(form, { showProblems }) => (
        <>
          <ProviderSection form={form} />
          <ClientSection form={form} hasSecret={hasSecret} redirectUrl={redirectUrl} />
          <AddressSection form={form} />
          <ProfileSection form={form} />
          <SsoChecks read={() => toSetting(form.getValues())} onRefused={showProblems} />
        </>
      )}
    </RecordForm>
  );
}
