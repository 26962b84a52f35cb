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
import { ThresholdsSection } from './thresholds-section';
import {
  INTERVALS,
  intervalsSchema,
  TIMEOUTS,
  timeoutsSchema,
  toIntervals,
  toIntervalsBody,
  toTimeouts,
} from './times-schema';
import type { HostMeasure } from '@/lib/vocabulary/host-measures';

/** How often a host calls the console, and compares what runs with what should. */
export function HostIntervals({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.settings');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={intervalsSchema}
      toValues={toIntervals}
      toBody={toIntervalsBody}
      nameOf={(saved) => saved.name}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [
        { id: 'intervals', label: t('intervals'), isWrong: isWrong(...INTERVALS) },
        { id: 'thresholds', label: t('thresholds'), isWrong: isWrong('thresholds') },
      ]}
      labelOf={(path) => {
        const [field, measure, part] = path.split('.') as [string, HostMeasure?, string?];
        if (field !== 'thresholds') return t(`fields.${path as (typeof INTERVALS)[number]}`);
        if (!measure) return t('thresholds');
        return part === 'minutes' ? t(`thresholdMinutes.${measure}`) : t(`thresholdPercent.${measure}`);
      }}
    >
      {(form) => (
        <>
          <TimeSection id="intervals" title={t('intervals')} text={t('intervalsText')}>
            {INTERVALS.map((name) => (
              <FormField key={name} form={form} name={name} label={t(`fields.${name}`)}>
                {(control) => <SecondsInput {...control} {...form.register(name, { setValueAs: readNumber })} />}
              </FormField>
            ))}
          </TimeSection>
          <ThresholdsSection form={form} />
        </>
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
        <TimeSection id="timeouts" title={t('timeouts')} text={t('timeoutsText')} isLast>
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

interface TimeSectionProps {
  id: string;
  title: string;
  text: string;
  isLast?: boolean;
  children: ReactNode;
}

function TimeSection({ children, isLast = false, ...section }: TimeSectionProps) {
  return (
    <FormSection {...section} isLast={isLast}>
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
