'use client';

import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { TagField } from '@/components/records/tags/tag-field';
import { Input } from '@/components/ui/input';
import { hostSchema, toBody, toValues, type HostValues } from './host-schema';
import { IsolationSection } from './isolation-section';

type PlainField = Exclude<keyof HostValues, 'isolation'>;
const RUNTIMES = ['default_runtime', 'default_gpu_runtime'] as const;

/** Basic information and runtimes of a host, and what it keeps containers from. */
export function HostSettings({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.settings');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={hostSchema}
      toValues={toValues}
      toBody={toBody}
      nameOf={(saved) => saved.name}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [
        { id: 'basic', label: t('basic'), isWrong: isWrong('name', 'address', 'tags', ...RUNTIMES) },
        { id: 'isolation', label: t('isolation'), isWrong: isWrong('isolation') },
      ]}
      labelOf={(path) => {
        const [field, part] = path.split('.');
        if (field !== 'isolation') return t(`fields.${path as PlainField}`);
        return part ? t(`isolationFields.${part as keyof HostValues['isolation']}`) : t('isolation');
      }}
    >
      {(form) => (
        <>
          <FormSection id="basic" title={t('basic')}>
            <FormField form={form} name="name" label={t('fields.name')}>
              {(control) => <Input {...control} {...form.register('name')} />}
            </FormField>
            <FormField form={form} name="address" label={t('fields.address')} hint={t('hints.address')}>
              {(control) => (
                <Input
                  {...control}
                  isMono
                  autoComplete="off"
                  spellCheck={false}
                  placeholder={t('ownAddress')}
                  {...form.register('address')}
                />
              )}
            </FormField>
            <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
              {RUNTIMES.map((name) => (
                <FormField key={name} form={form} name={name} label={t(`fields.${name}`)} hint={t(`hints.${name}`)}>
                  {(control) => <Input {...control} isMono {...form.register(name)} />}
                </FormField>
              ))}
            </div>
            <TagField form={form} />
          </FormSection>
          <IsolationSection form={form} />
        </>
      )}
    </RecordForm>
  );
}
