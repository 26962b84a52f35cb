'use client';

import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { AffixInput, Input, Textarea } from '@/components/ui/input';
import { AMOUNTS } from './amounts';
import { RuntimeField } from './runtime-field';
import type { WorkspaceValues } from './workspace-schema';

export function StartSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.start');
  const common = useTranslations('common');
  return (
    <FormSection id="start" title={t('title')}>
      <FormField form={form} name="command" label={t('command')} note={common('optional')} hint={t('commandHint')}>
        {(control) => <Input {...control} isMono autoComplete="off" spellCheck={false} {...form.register('command')} />}
      </FormField>
      <FormField
        form={form}
        name="arguments"
        label={t('arguments')}
        note={common('optional')}
        hint={t('argumentsHint')}
      >
        {(control) => <Textarea {...control} isMono rows={2} spellCheck={false} {...form.register('arguments')} />}
      </FormField>
      <div className="grid grid-cols-3 gap-3.5 max-sm:grid-cols-1">
        {AMOUNTS.map((name) => (
          <FormField key={name} form={form} name={name} label={t(`limitLabels.${name}`)} note={common('optional')}>
            {(control) => (
              <AffixInput
                {...control}
                inputMode="decimal"
                autoComplete="off"
                placeholder={t(`limitNone.${name}`)}
                after={<span className="text-small text-text-3">{t(`limitUnits.${name}`)}</span>}
                {...form.register(name)}
              />
            )}
          </FormField>
        ))}
      </div>
      <RuntimeField form={form} />
      <FormSwitch form={form} name="autoStart" label={t('autoStart')} hint={t('autoStartHint')} />
    </FormSection>
  );
}
