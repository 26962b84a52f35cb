'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { Input } from '@/components/ui/input';
import { CopyField } from './copy-field';
import { SsoDiscovery } from './sso-discovery';
import { MAPPED_FIELDS, type SsoValues } from './sso-values';

interface SectionProps {
  form: UseFormReturn<SsoValues>;
}

export function ProviderSection({ form }: SectionProps) {
  const t = useTranslations('pages.settings.sso');
  return (
    <FormSection id="provider" title={t('provider')} text={t('providerText')}>
      <FormSwitch form={form} name="enabled" label={t('fields.enabled')} hint={t('enabledHint')} />
      <FormField form={form} name="displayName" label={t('fields.displayName')}>
        {(control) => <Input {...control} {...form.register('displayName')} />}
      </FormField>
    </FormSection>
  );
}

export function ClientSection({
  form,
  hasSecret,
  redirectUrl,
}: SectionProps & { hasSecret: boolean; redirectUrl: string }) {
  const t = useTranslations('pages.settings.sso');
  const removes = useWatch({ control: form.control, name: 'removeSecret' });
  const setRemoves = (value: boolean) => form.setValue('removeSecret', value, { shouldDirty: true });
  const hint = !hasSecret ? t('secretUnset') : removes ? t('secretRemoved') : t('secretSet');
  return (
    <FormSection id="credentials" title={t('credentials')} text={t('credentialsText')}>
      <CopyField label={t('redirect')} hint={t('redirectHint')} text={redirectUrl} />
      <CopyField label={t('popup')} text={redirectUrl.replace(/\/login\/callback$/, '/api/oauth2-redirect')} />
      <FormField form={form} name="clientId" label={t('fields.clientId')}>
        {(control) => <Input {...control} isMono autoComplete="off" {...form.register('clientId')} />}
      </FormField>
      <FormField
        form={form}
        name="clientSecret"
        label={t('fields.clientSecret')}
        hint={hint}
        aside={
          hasSecret && (
            <button
              type="button"
              className="text-small text-accent-text rounded-sm font-normal hover:underline"
              onClick={() => setRemoves(!removes)}
            >
              {removes ? t('secretKeep') : t('secretRemove')}
            </button>
          )
        }
      >
        {(control) => (
          <Input
            {...control}
            isMono
            type="password"
            autoComplete="new-password"
            placeholder={hasSecret && !removes ? '••••••••' : undefined}
            {...form.register('clientSecret')}
          />
        )}
      </FormField>
    </FormSection>
  );
}

export function AddressSection({ form }: SectionProps) {
  const t = useTranslations('pages.settings.sso');
  return (
    <FormSection id="addresses" title={t('addresses')}>
      <SsoDiscovery form={form} />
      {(['authUrl', 'tokenUrl', 'userInfoUrl'] as const).map((name) => (
        <FormField key={name} form={form} name={name} label={t(`fields.${name}`)}>
          {(control) => <Input {...control} isMono type="url" autoComplete="off" {...form.register(name)} />}
        </FormField>
      ))}
      <FormSwitch form={form} name="pkce" label={t('fields.pkce')} hint={t('pkceHint')} />
    </FormSection>
  );
}

export function ProfileSection({ form }: SectionProps) {
  const t = useTranslations('pages.settings.sso');
  return (
    <FormSection id="profile" title={t('profile')} text={t('profileText')}>
      <FormField form={form} name="scopes" label={t('fields.scopes')} hint={t('scopesHint')}>
        {(control) => <Input {...control} isMono {...form.register('scopes')} />}
      </FormField>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        {MAPPED_FIELDS.map((name) => (
          <FormField key={name} form={form} name={`mappedFields.${name}`} label={t(`fields.mappedFields.${name}`)}>
            {(control) => <Input {...control} isMono {...form.register(`mappedFields.${name}`)} />}
          </FormField>
        ))}
      </div>
      <FieldChange name="mappedFields" />
      <FormField form={form} name="groupsClaim" label={t('fields.groupsClaim')} hint={t('groupsClaimHint')}>
        {(control) => <Input {...control} isMono autoComplete="off" {...form.register('groupsClaim')} />}
      </FormField>
      <FormSwitch form={form} name="trustEmail" label={t('fields.trustEmail')} hint={t('trustEmailHint')} />
    </FormSection>
  );
}
