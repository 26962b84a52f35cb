'use client';

import { useTranslations } from 'next-intl';
import type { HostRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { AffixInput, Input } from '@/components/ui/input';
import { hostSchema, TIMES, toValues, type HostValues } from './host-schema';

const RUNTIMES = ['default_runtime', 'default_gpu_runtime'] as const;

/** Basic information, runtimes, intervals and timeouts of a host. */
export function HostSettings({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.settings');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={hostSchema}
      toValues={toValues}
      nameOf={(saved) => saved.name}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [
        { id: 'basic', label: t('basic'), isWrong: isWrong('name', ...RUNTIMES) },
        { id: 'times', label: t('times'), isWrong: isWrong(...TIMES) },
      ]}
      labelOf={(path) => t(`fields.${path as keyof HostValues}`)}
    >
      {(form) => (
        <>
          <FormSection id="basic" title={t('basic')}>
            <FormField form={form} name="name" label={t('fields.name')}>
              {(control) => <Input {...control} {...form.register('name')} />}
            </FormField>
            <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
              {RUNTIMES.map((name) => (
                <FormField key={name} form={form} name={name} label={t(`fields.${name}`)} hint={t(`hints.${name}`)}>
                  {(control) => <Input {...control} isMono {...form.register(name)} />}
                </FormField>
              ))}
            </div>
          </FormSection>
          <FormSection id="times" title={t('times')} text={t('timesText')} isLast>
            <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
              {TIMES.map((name) => (
                <FormField key={name} form={form} name={name} label={t(`fields.${name}`)}>
                  {(control) => (
                    <AffixInput
                      {...control}
                      type="number"
                      min={0}
                      after={<span className="text-small text-text-3">{t('seconds')}</span>}
                      {...form.register(name, { valueAsNumber: true })}
                    />
                  )}
                </FormField>
              ))}
            </div>
          </FormSection>
        </>
      )}
    </RecordForm>
  );
}
