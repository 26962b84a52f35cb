'use client';

import { Lock } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { useViewer } from '@/components/data/session-provider';
import { FieldChange } from '@/components/records/field-change';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { AffixInput, Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { UNPRIVILEGED_PORTS } from '@/lib/vocabulary/ports';
import type { HostValues } from './host-schema';

const AMOUNTS = ['cpuLimit', 'memoryLimit', 'pidsLimit'] as const;
const SWITCHES = ['allowNewPrivileges', 'keepNetRaw', 'sharedBindFolders'] as const;

/** What containers of the host may have; for admins to change. */
export function IsolationSection({ form }: { form: UseFormReturn<HostValues> }) {
  const t = useTranslations('pages.hosts.settings');
  const { isAdmin } = useViewer();
  return (
    <FormSection id="isolation" title={t('isolation')} text={t('isolationText')} isLast>
      {!isAdmin && (
        <Notice tone="accent" icon={<Lock aria-hidden="true" />}>
          {t('isolationAdmin')}
        </Notice>
      )}
      <FieldChange name="isolation" wordsOf={() => t('isolationChanged')} />
      <fieldset
        disabled={!isAdmin}
        className="disabled:[&_input]:text-text-2 grid min-w-0 gap-3.5 disabled:[&_button]:opacity-50"
      >
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <FormField
            form={form}
            name="isolation.hostPorts"
            label={t('isolationFields.hostPorts')}
            hint={t('isolationHints.hostPorts')}
          >
            {(control) => (
              <Input
                {...control}
                isMono
                autoComplete="off"
                placeholder={UNPRIVILEGED_PORTS}
                {...form.register('isolation.hostPorts')}
              />
            )}
          </FormField>
          <FormField
            form={form}
            name="isolation.runtimes"
            label={t('isolationFields.runtimes')}
            hint={t('isolationHints.runtimes')}
          >
            {(control) => <Input {...control} isMono autoComplete="off" {...form.register('isolation.runtimes')} />}
          </FormField>
        </div>
        <div className="grid grid-cols-3 gap-3.5 max-sm:grid-cols-1">
          {AMOUNTS.map((name) => (
            <FormField
              key={name}
              form={form}
              name={`isolation.${name}`}
              label={t(`isolationFields.${name}`)}
              hint={t(`isolationHints.${name}`)}
            >
              {(control) => (
                <AffixInput
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder={t('noLimit')}
                  after={<span className="text-small text-text-3">{t(`isolationUnits.${name}`)}</span>}
                  {...form.register(`isolation.${name}`)}
                />
              )}
            </FormField>
          ))}
        </div>
        {SWITCHES.map((name) => (
          <FormSwitch
            key={name}
            form={form}
            name={`isolation.${name}`}
            label={t(`isolationFields.${name}`)}
            hint={t(`isolationHints.${name}`)}
          />
        ))}
      </fieldset>
    </FormSection>
  );
}
