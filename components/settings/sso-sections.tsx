'use client';

import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { FormSection } from '@/components/records/form-layout';
import { useFieldError } from '@/components/records/form-problems';
import { CopyButton } from '@/components/ui/copy-button';
import { Field } from '@/components/ui/field';
import { AffixInput, Input } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import { SsoDiscovery } from './sso-discovery';
import { MAPPED_FIELDS, type SsoValues } from './sso-values';

interface SectionProps {
  form: UseFormReturn<SsoValues>;
}

export function ProviderSection({ form }: SectionProps) {
  const t = useTranslations('pages.settings.sso');
  const errorOf = useFieldError(form);
  return (
    <FormSection id="provider" title={t('provider')} text={t('providerText')}>
      <SwitchField form={form} name="enabled" hint={t('enabledHint')} />
      <Field label={t('fields.displayName')} error={errorOf('displayName')}>
        {(control) => <Input {...control} {...form.register('displayName')} />}
      </Field>
    </FormSection>
  );
}

export function ClientSection({
  form,
  hasSecret,
  redirectUrl,
}: SectionProps & { hasSecret: boolean; redirectUrl: string }) {
  const t = useTranslations('pages.settings.sso');
  const errorOf = useFieldError(form);
  const removes = useWatch({ control: form.control, name: 'removeSecret' });
  const setRemoves = (value: boolean) => form.setValue('removeSecret', value, { shouldDirty: true });
  const hint = !hasSecret ? t('secretUnset') : removes ? t('secretRemoved') : t('secretSet');
  return (
    <FormSection id="credentials" title={t('credentials')} text={t('credentialsText')}>
      <CopyField label={t('redirect')} hint={t('redirectHint')} text={redirectUrl} />
      <CopyField label={t('popup')} text={redirectUrl.replace(/\/login\/callback$/, '/api/oauth2-redirect')} />
      <Field label={t('fields.clientId')} error={errorOf('clientId')}>
        {(control) => <Input {...control} isMono autoComplete="off" {...form.register('clientId')} />}
      </Field>
      <Field
        label={t('fields.clientSecret')}
        error={errorOf('clientSecret')}
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
      </Field>
    </FormSection>
  );
}

export function AddressSection({ form }: SectionProps) {
  const t = useTranslations('pages.settings.sso');
  const errorOf = useFieldError(form);
  return (
    <FormSection id="addresses" title={t('addresses')}>
      <SsoDiscovery form={form} />
      {(['authUrl', 'tokenUrl', 'userInfoUrl'] as const).map((name) => (
        <Field key={name} label={t(`fields.${name}`)} error={errorOf(name)}>
          {(control) => <Input {...control} isMono type="url" autoComplete="off" {...form.register(name)} />}
        </Field>
      ))}
      <SwitchField form={form} name="pkce" hint={t('pkceHint')} />
    </FormSection>
  );
}

export function ProfileSection({ form }: SectionProps) {
  const t = useTranslations('pages.settings.sso');
  const errorOf = useFieldError(form);
  return (
    <FormSection id="profile" title={t('profile')} text={t('profileText')}>
      <Field label={t('fields.scopes')} hint={t('scopesHint')} error={errorOf('scopes')}>
        {(control) => <Input {...control} isMono {...form.register('scopes')} />}
      </Field>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        {MAPPED_FIELDS.map((name) => (
          <Field key={name} label={t(`fields.mappedFields.${name}`)} error={errorOf(`mappedFields.${name}`)}>
            {(control) => <Input {...control} isMono {...form.register(`mappedFields.${name}`)} />}
          </Field>
        ))}
      </div>
      <SwitchField form={form} name="trustEmail" hint={t('trustEmailHint')} />
    </FormSection>
  );
}

function SwitchField({ form, name, hint }: SectionProps & { name: 'enabled' | 'pkce' | 'trustEmail'; hint: string }) {
  const t = useTranslations('pages.settings.sso.fields');
  const id = useId();
  return (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <div className="text-table flex items-start gap-2.5">
          <Switch
            id={id}
            className="mt-0.5"
            checked={field.value}
            onCheckedChange={field.onChange}
            aria-describedby={`${id}-hint`}
          />
          <div className="min-w-0">
            <label htmlFor={id} className="font-medium">
              {t(name)}
            </label>
            <p id={`${id}-hint`} className="text-small text-text-3">
              {hint}
            </p>
          </div>
        </div>
      )}
    />
  );
}

function CopyField({ label, hint, text }: { label: string; hint?: string; text: string }) {
  const common = useTranslations('common.actions');
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <AffixInput
          {...control}
          isMono
          readOnly
          value={text}
          after={<CopyButton isIcon text={text} label={`${common('copy')}: ${label}`} copiedLabel={common('copied')} />}
        />
      )}
    </Field>
  );
}
