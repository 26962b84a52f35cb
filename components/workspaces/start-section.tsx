'use client';

import { useTranslations } from 'next-intl';
import { useId } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useFieldError } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { Field } from '@/components/ui/field';
import { AffixInput, Input, Textarea } from '@/components/ui/input';
import { Switch } from '@/components/ui/switch';
import type { WorkspaceValues } from './workspace-schema';

const LIMITS = ['cpuLimit', 'memoryLimit', 'shmSize'] as const;

export function StartSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.start');
  const common = useTranslations('common');
  const errorOf = useFieldError(form);
  const id = useId();
  return (
    <FormSection id="start" title={t('title')} isLast>
      <Field label={t('command')} note={common('optional')} hint={t('commandHint')} error={errorOf('command')}>
        {(control) => <Input {...control} isMono autoComplete="off" spellCheck={false} {...form.register('command')} />}
      </Field>
      <Field label={t('arguments')} note={common('optional')} hint={t('argumentsHint')} error={errorOf('arguments')}>
        {(control) => <Textarea {...control} isMono rows={2} spellCheck={false} {...form.register('arguments')} />}
      </Field>
      <div className="grid grid-cols-3 gap-3.5 max-sm:grid-cols-1">
        {LIMITS.map((name) => (
          <Field key={name} label={t(`limitLabels.${name}`)} note={common('optional')} error={errorOf(name)}>
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
          </Field>
        ))}
      </div>
      <div className="text-table flex items-start gap-3">
        <Controller
          control={form.control}
          name="autoStart"
          render={({ field }) => (
            <Switch
              id={id}
              className="mt-0.5"
              aria-describedby={`${id}-hint`}
              checked={field.value}
              onCheckedChange={field.onChange}
            />
          )}
        />
        <div>
          <label htmlFor={id} className="font-medium">
            {t('autoStart')}
          </label>
          <p id={`${id}-hint`} className="text-small text-text-3">
            {t('autoStartHint')}
          </p>
        </div>
      </div>
    </FormSection>
  );
}
