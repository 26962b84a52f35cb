'use client';

import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { readNumber } from '@/components/records/read-number';
import { AffixInput } from '@/components/ui/input';
import { HOST_MEASURES } from '@/lib/vocabulary/host-measures';
import type { IntervalValues } from './times-schema';

/** From where on people are told that a host is short of something. */
export function ThresholdsSection({ form }: { form: UseFormReturn<IntervalValues> }) {
  const t = useTranslations('pages.hosts.settings');
  const after = (unit: 'percent' | 'minutes') => <span className="text-small text-text-3">{t(unit)}</span>;
  return (
    <FormSection id="thresholds" title={t('thresholds')} text={t('thresholdsText')} isLast>
      <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
        {HOST_MEASURES.flatMap((measure) => [
          <FormField
            key={`${measure}-percent`}
            form={form}
            name={`thresholds.${measure}.percent`}
            label={t(`thresholdPercent.${measure}`)}
            hint={measure === 'load' ? t('loadHint') : undefined}
          >
            {(control) => (
              <AffixInput
                {...control}
                inputMode="numeric"
                autoComplete="off"
                placeholder={t('noThreshold')}
                after={after('percent')}
                {...form.register(`thresholds.${measure}.percent`, { setValueAs: readNumber })}
              />
            )}
          </FormField>,
          <FormField
            key={`${measure}-minutes`}
            form={form}
            name={`thresholds.${measure}.minutes`}
            label={t(`thresholdMinutes.${measure}`)}
          >
            {(control) => (
              <AffixInput
                {...control}
                inputMode="numeric"
                autoComplete="off"
                after={after('minutes')}
                {...form.register(`thresholds.${measure}.minutes`, { setValueAs: readNumber })}
              />
            )}
          </FormField>,
        ])}
      </div>
    </FormSection>
  );
}
