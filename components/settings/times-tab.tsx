'use client';

import { useTranslations } from 'next-intl';
import { z } from 'zod';
import type { SettingRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { readNumber } from '@/components/records/read-number';
import { RecordForm } from '@/components/records/record-form';
import { AffixInput } from '@/components/ui/input';
import { applySettingProblems } from './setting-problems';
import { SettingPage } from './setting-page';
import { useSettingSource } from './use-setting';

const timesSchema = z.object({
  idleMinutesDefault: z.number('required'),
  idleMinutesMax: z.number('required'),
  deleteDaysDefault: z.number('required'),
  deleteDaysMax: z.number('required'),
  keepHoursMax: z.number('required'),
  quietCpuPercent: z.number('required'),
  quietNetworkBytes: z.number('required'),
});
type TimesValues = z.infer<typeof timesSchema>;

const USUAL: TimesValues = {
  idleMinutesDefault: 0,
  idleMinutesMax: 0,
  deleteDaysDefault: 0,
  deleteDaysMax: 0,
  keepHoursMax: 168,
  quietCpuPercent: 5,
  quietNetworkBytes: 2048,
};

const SECTIONS = {
  idle: ['idleMinutesDefault', 'idleMinutesMax', 'quietCpuPercent', 'quietNetworkBytes'],
  deletion: ['deleteDaysDefault', 'deleteDaysMax'],
  keep: ['keepHoursMax'],
} as const;
const NAMES = ['idle', 'deletion', 'keep'] as const;

function toValues(setting: SettingRecord | null): TimesValues {
  const stored: unknown = setting?.value;
  const parsed = timesSchema.safeParse({ ...USUAL, ...(typeof stored === 'object' ? stored : {}) });
  return parsed.success ? parsed.data : USUAL;
}

/** What new workspaces begin with about their time, and how far people may go. */
export function TimesTab() {
  return <SettingPage settingKey="times">{(setting) => <TimesForm setting={setting} />}</SettingPage>;
}

function TimesForm({ setting }: { setting: SettingRecord | null }) {
  const t = useTranslations('pages.settings.times');
  return (
    <RecordForm
      source={useSettingSource('times', setting)}
      schema={timesSchema}
      toValues={toValues}
      nameOf={() => t('name')}
      applyProblems={applySettingProblems}
      canEdit
      sections={(isWrong) => NAMES.map((id) => ({ id, label: t(`${id}.title`), isWrong: isWrong(...SECTIONS[id]) }))}
      labelOf={(path) => t(`fields.${path as keyof TimesValues}`)}
    >
      {(form) =>
        NAMES.map((id) => (
          <FormSection key={id} id={id} title={t(`${id}.title`)} text={t(`${id}.text`)} isLast={id === NAMES.at(-1)}>
            <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
              {SECTIONS[id].map((name) => (
                <FormField key={name} form={form} name={name} label={t(`fields.${name}`)} hint={t(`hints.${name}`)}>
                  {(control) => (
                    <AffixInput
                      {...control}
                      {...form.register(name, { setValueAs: readNumber })}
                      inputMode="decimal"
                      autoComplete="off"
                      after={<span className="text-small text-text-3">{t(`units.${name}`)}</span>}
                    />
                  )}
                </FormField>
              ))}
            </div>
          </FormSection>
        ))
      }
    </RecordForm>
  );
}
