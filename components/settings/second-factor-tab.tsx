'use client';

import { useTranslations } from 'next-intl';
import { Controller } from 'react-hook-form';
import { z } from 'zod';
import type { SettingRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { Select } from '@/components/ui/select';
import { applySettingProblems } from './setting-problems';
import { SettingPage } from './setting-page';
import { useSettingSource } from './use-setting';

const CHOICES = ['nobody', 'admins', 'everyone'] as const;
const securitySchema = z.object({ requireSecondFactor: z.enum(CHOICES) });
type SecurityValues = z.infer<typeof securitySchema>;

function toValues(setting: SettingRecord | null): SecurityValues {
  const parsed = securitySchema.safeParse(setting?.value);
  return parsed.success ? parsed.data : { requireSecondFactor: 'nobody' };
}

/** Who has to have a second factor. */
export function SecondFactorTab() {
  return <SettingPage settingKey="security">{(setting) => <SecondFactorForm setting={setting} />}</SettingPage>;
}

function SecondFactorForm({ setting }: { setting: SettingRecord | null }) {
  const t = useTranslations('pages.settings.signIn');
  const options = CHOICES.map((value) => ({ value, label: t(value) }));
  return (
    <RecordForm
      source={useSettingSource('security', setting)}
      schema={securitySchema}
      toValues={toValues}
      nameOf={() => t('name')}
      applyProblems={applySettingProblems}
      canEdit
      sections={(isWrong) => [{ id: 'second-factor', label: t('title'), isWrong: isWrong('requireSecondFactor') }]}
      labelOf={() => t('requireSecondFactor')}
    >
      {(form) => (
        <FormSection id="second-factor" title={t('title')} text={t('text')} isLast>
          <FormField
            form={form}
            name="requireSecondFactor"
            label={t('requireSecondFactor')}
            wordsOf={(value) => options.find((option) => option.value === value)?.label}
          >
            {(control) => (
              <Controller
                control={form.control}
                name="requireSecondFactor"
                render={({ field }) => (
                  <Select
                    {...control}
                    className="w-72 max-w-full"
                    value={field.value}
                    onValueChange={field.onChange}
                    options={options}
                  />
                )}
              />
            )}
          </FormField>
        </FormSection>
      )}
    </RecordForm>
  );
}
