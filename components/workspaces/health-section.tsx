'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FieldError } from '@/components/ui/field';
import { AffixInput, Input } from '@/components/ui/input';
import type { WorkspaceValues } from './workspace-schema';

const NUMBERS = ['intervalSeconds', 'timeoutSeconds', 'retries', 'startSeconds'] as const;

/** The command that says whether the workspace is well, and how often it is asked. */
export function HealthSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.health');
  const common = useTranslations('common');
  const text = useProblemText();
  const command = useWatch({ control: form.control, name: 'healthCheck.command' });
  const whole = listProblems({ healthCheck: form.formState.errors.healthCheck }).filter(
    ({ path }) => path === 'healthCheck',
  );
  return (
    <FormSection id="health" title={t('title')}>
      <FormField
        form={form}
        name="healthCheck.command"
        label={t('command')}
        note={common('optional')}
        hint={t('commandHint')}
      >
        {(control) => (
          <Input
            {...control}
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder="curl -f http://localhost:8888/"
            {...form.register('healthCheck.command')}
          />
        )}
      </FormField>
      {command.trim() !== '' && (
        <div className="grid grid-cols-4 gap-3.5 max-sm:grid-cols-2">
          {NUMBERS.map((name) => (
            <FormField key={name} form={form} name={`healthCheck.${name}`} label={t(`numbers.${name}`)}>
              {(control) => (
                <AffixInput
                  {...control}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder={t(`usual.${name}`)}
                  after={name !== 'retries' && <span className="text-small text-text-3">{t('seconds')}</span>}
                  {...form.register(`healthCheck.${name}`)}
                />
              )}
            </FormField>
          ))}
        </div>
      )}
      {whole.map((problem) => (
        <FieldError key={problem.message}>{text(problem.message)}</FieldError>
      ))}
      <FieldChange name="healthCheck" wordsOf={() => t('changed')} />
    </FormSection>
  );
}
