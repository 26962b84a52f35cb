'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { HostRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { readNumber } from '@/components/records/read-number';
import { AffixInput } from '@/components/ui/input';
import { INTERVALS, intervalsSchema, TIMEOUTS, timeoutsSchema, toIntervals, toTimeouts } from './times-schema';

/** How often a host calls the console, and compares what runs with what should. */
export function HostIntervals({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.settings');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={intervalsSchema}
      toValues={toIntervals}
      nameOf={(saved) => saved.name}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'intervals', label: t('intervals'), isWrong: isWrong(...INTERVALS) }]}
      labelOf={(path) => t(`fields.${path as (typeof INTERVALS)[number]}`)}
    >
      {(form) => (
        <TimeSection id="intervals" title={t('intervals')} text={t('intervalsText')}>
          {INTERVALS.map((name) => (
            <FormField key={name} form={form} name={name} label={t(`fields.${name}`)}>
              {(control) => <SecondsInput {...control} {...form.register(name, { setValueAs: readNumber })} />}
            </FormField>
          ))}
        </TimeSection>
      )}
    </RecordForm>
  );
}

/** When a host gives a job up. */
export function HostTimeouts({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.settings');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={timeoutsSchema}
      toValues={toTimeouts}
      nameOf={(saved) => saved.name}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'timeouts', label: t('timeouts'), isWrong: isWrong(...TIMEOUTS) }]}
      labelOf={(path) => t(`fields.${path as (typeof TIMEOUTS)[number]}`)}
    >
      {(form) => (
        <TimeSection id="timeouts" title={t('timeouts')} text={t('timeoutsText')}>
          {TIMEOUTS.map((name) => (
            <FormField key={name} form={form} name={name} label={t(`fields.${name}`)}>
              {(control) => (
                <SecondsInput
                  {...control}
                  placeholder={t('noTimeout')}
                  {...form.register(name, { setValueAs: readNumber })}
                />
              )}
            </FormField>
          ))}
        </TimeSection>
      )}
    </RecordForm>
  );
}

function TimeSection({ children, ...section }: { id: string; title: string; text: string; children: ReactNode }) {
  return (
    <FormSection {...section} isLast>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">{children}</div>
    </FormSection>
  );
}

function SecondsInput(props: React.ComponentProps<typeof AffixInput>) {
  const t = useTranslations('pages.hosts.settings');
  return (
    <AffixInput
      inputMode="numeric"
      autoComplete="off"
      after={<span className="text-small text-text-3">{t('seconds')}</span>}
      {...props}
    />
  );
}
