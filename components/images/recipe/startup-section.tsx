'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Controller, get, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { useIsReadOnly } from '@/components/records/form-access';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { Button, IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridInput, GridNone, GridTable } from '@/components/ui/grid-table';
import { Select } from '@/components/ui/select';
import type { ImageValues } from '../image-schema';

interface SectionProps {
  form: UseFormReturn<ImageValues>;
  isLast?: boolean;
}

/** What a container of the image runs, side by side, each in its environment. */
export function StartupSection({ form, isLast = false }: SectionProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const text = useProblemText();
  const rows = useFieldArray({ control: form.control, name: 'startupCommands' });
  const environments = useWatch({ control: form.control, name: 'environments' });
  const problems = listProblems({ startupCommands: form.formState.errors.startupCommands });
  const messages = [...new Set(problems.map(({ message }) => text(message)))];
  const isWrong = (path: string) => Boolean(get(form.formState.errors, path));
  return (
    <FormSection id="startup" title={t('startup')} text={t('startupText')} isLast={isLast}>
      <div>
        <GridTable
          label={t('startup')}
          heads={[
            t('command'),
            t('environment'),
            <span key="x" className="sr-only">
              {t('actions')}
            </span>,
          ]}
          widths={['auto', '32%', '40px']}
          footer={
            !isReadOnly && (
              <Button
                variant="ghost"
                size="sm"
                data-path="startupCommands"
                onClick={() =>
                  rows.append(
                    { command: '', environment: environments[0]?.name || null },
                    { focusName: `startupCommands.${rows.fields.length}.command` },
                  )
                }
              >
                <Plus className="size-4" aria-hidden="true" />
                {t('addCommand')}
              </Button>
            )
          }
        >
          {rows.fields.length === 0 && <GridNone columns={3}>{t('noCommands')}</GridNone>}
          {rows.fields.map((row, index) => {
            const at = `startupCommands.${index}` as const;
            return (
              <tr key={row.id}>
                <GridCell label={t('command')} isWrong={isWrong(`${at}.command`)} className="@max-md:col-span-2">
                  <GridInput
                    aria-label={t('commandOf', { row: index + 1 })}
                    aria-invalid={isWrong(`${at}.command`)}
                    placeholder="jupyter lab --ip 0.0.0.0"
                    {...form.register(`${at}.command`)}
                  />
                </GridCell>
                <GridCell label={t('environment')} isWrong={isWrong(`${at}.environment`)}>
                  <Controller
                    control={form.control}
                    name={`${at}.environment`}
                    render={({ field }) => (
                      <EnvironmentSelect
                        label={t('commandEnvironmentOf', { row: index + 1 })}
                        value={field.value}
                        names={environments.map(({ name }) => name)}
                        onChange={field.onChange}
                      />
                    )}
                  />
                </GridCell>
                <GridCell className="text-center">
                  {!isReadOnly && (
                    <IconButton
                      size="sm"
                      label={t('removeCommand', { row: index + 1 })}
                      onClick={() => rows.remove(index)}
                    >
                      <X className="size-3.5" />
                    </IconButton>
                  )}
                </GridCell>
              </tr>
            );
          })}
        </GridTable>
        {messages.map((message) => (
          <FieldError key={message}>{message}</FieldError>
        ))}
        <FieldChange name="startupCommands" />
      </div>
    </FormSection>
  );
}

interface EnvironmentSelectProps {
  label: string;
  value: string | null;
  names: string[];
  onChange: (name: string | null) => void;
}

function EnvironmentSelect({ label, value, names, onChange }: EnvironmentSelectProps) {
  const t = useTranslations('pages.images.recipe');
  const known = [...new Set([...names, value ?? ''])].filter(Boolean);
  return (
    <Select
      isBare
      aria-label={label}
      value={`in:${value ?? ''}`}
      onValueChange={(next) => onChange(next === 'in:' ? null : next.slice('in:'.length))}
      options={[
        { value: 'in:', label: t('noEnvironment') },
        ...known.map((name) => ({ value: `in:${name}`, label: name })),
      ]}
    />
  );
}
