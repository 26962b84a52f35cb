'use client';

import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import type { HostRecord } from '@/components/data/types';
import { FieldChange } from '@/components/records/field-change';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { Input } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { PROXY_TYPES, reverseProxyFormSchema, toReverseProxy, type ReverseProxyValues } from './proxy-schema';

type Part = Exclude<keyof ReverseProxyValues['reverse_proxy'], 'isAdded'>;

/** What each way of telling Traefik of workspaces needs. */
const NEEDS = {
  none: [],
  traefikDockerProvider: ['containerName', 'entryPoint', 'certResolver'],
  traefikFileProvider: ['entryPoint', 'certResolver', 'configFileLocation', 'containerName'],
} as const;

/** How the Traefik of a host is told of its workspaces. */
export function ReverseProxyTab({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.reverseProxy');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={reverseProxyFormSchema}
      toValues={toReverseProxy}
      nameOf={(saved) => saved.name}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'reverse-proxy', label: t('title'), isWrong: isWrong('reverse_proxy') }]}
      labelOf={(path) => {
        const part = path.split('.')[1] as Part | 'isAdded' | undefined;
        return part && part !== 'isAdded' ? t(`fields.${part}`) : t('title');
      }}
    >
      {(form) => <Fields form={form} />}
    </RecordForm>
  );
}

function Fields({ form }: { form: UseFormReturn<ReverseProxyValues> }) {
  const t = useTranslations('pages.hosts.reverseProxy');
  const { isAdded, type } = useWatch({ control: form.control, name: 'reverse_proxy' });
  return (
    <FormSection id="reverse-proxy" title={t('title')} text={t('text')} isLast>
      <FieldChange name="reverse_proxy" wordsOf={() => t('changed')} />
      <FormSwitch form={form} name="reverse_proxy.isAdded" label={t('add')} hint={t('addHint')} />
      {isAdded && (
        <>
          <FormField form={form} name="reverse_proxy.type" label={t('fields.type')} hint={t('hints.type')}>
            {(control) => (
              <Controller
                control={form.control}
                name="reverse_proxy.type"
                render={({ field }) => (
                  <Select
                    {...control}
                    placeholder={t('pick')}
                    value={field.value === 'none' ? '' : field.value}
                    onValueChange={(value) => {
                      // The list says nothing where the form is reset.
                      if (value !== '') field.onChange(value);
                    }}
                    options={PROXY_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))}
                  />
                )}
              />
            )}
          </FormField>
          {NEEDS[type].map((name) => (
            <FormField
              key={name}
              form={form}
              name={`reverse_proxy.${name}`}
              label={t(`fields.${name}`)}
              hint={t(`hints.${name}`)}
            >
              {(control) => (
                <Input
                  {...control}
                  isMono
                  autoComplete="off"
                  spellCheck={false}
                  placeholder={t(`examples.${name}`)}
                  {...form.register(`reverse_proxy.${name}`)}
                />
              )}
            </FormField>
          ))}
        </>
      )}
    </FormSection>
  );
}
