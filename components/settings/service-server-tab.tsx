'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import type { SettingRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { Input } from '@/components/ui/input';
import { CopyField } from './copy-field';
import { applySettingProblems } from './setting-problems';
import { SettingPage } from './setting-page';
import { useSettingSource } from './use-setting';

const serverSchema = z.object({ endpointUrl: z.string().trim() });
type ServerValues = z.infer<typeof serverSchema>;

function toValues(setting: SettingRecord | null): ServerValues {
  const parsed = serverSchema.safeParse(setting?.value);
  return parsed.success ? parsed.data : { endpointUrl: '' };
}

/** Which address proxies ask about protected addresses of workspaces. */
export function ServiceServerTab({ publicUrl }: { publicUrl: string }) {
  return (
    <SettingPage settingKey="serviceServer">
      {(setting) => <ServiceServerForm setting={setting} publicUrl={publicUrl} />}
    </SettingPage>
  );
}

function ServiceServerForm({ setting, publicUrl }: { setting: SettingRecord | null; publicUrl: string }) {
  const t = useTranslations('pages.settings.serviceServer');
  return (
    <RecordForm
      source={useSettingSource('serviceServer', setting)}
      schema={serverSchema}
      toValues={toValues}
      nameOf={() => t('name')}
      applyProblems={applySettingProblems}
      canEdit
      sections={(isWrong) => [{ id: 'server', label: t('title'), isWrong: isWrong('endpointUrl') }]}
      labelOf={() => t('endpointUrl')}
    >
      {(form) => (
        <FormSection id="server" title={t('title')} text={t('text')} isLast>
          <FormField form={form} name="endpointUrl" label={t('endpointUrl')} hint={t('endpointHint')}>
            {(control) => (
              <Input
                {...control}
                {...form.register('endpointUrl')}
                isMono
                type="url"
                autoComplete="off"
                placeholder={publicUrl}
              />
            )}
          </FormField>
          <Given form={form} publicUrl={publicUrl} />
        </FormSection>
      )}
    </RecordForm>
  );
}

function Given({ form, publicUrl }: { form: UseFormReturn<ServerValues>; publicUrl: string }) {
  const t = useTranslations('pages.settings.serviceServer');
  const endpointUrl = useWatch({ control: form.control, name: 'endpointUrl' }).trim();
  const address = `${(endpointUrl || publicUrl).replace(/\/+$/, '')}/api/forward-auth`;
  return <CopyField label={t('address')} hint={t('addressHint')} text={address} />;
}
