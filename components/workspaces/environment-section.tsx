'use client';

import { ClipboardPaste, Lock, Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Controller, get, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FieldChange } from '@/components/records/field-change';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { Button, IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridInput, GridNone, GridTable, GridTextarea } from '@/components/ui/grid-table';
import { Switch } from '@/components/ui/switch';
import { DotEnvDialog } from './dot-env-dialog';
import type { DotEnvEntry } from './dot-env';
import type { WorkspaceValues } from './workspace-schema';

const MOST_LINES = 6;

export function EnvironmentSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.environment');
  const rows = useFieldArray({ control: form.control, name: 'environmentVariables' });
  const [isPasting, setPasting] = useState(false);
  const text = useProblemText();
  const isReadOnly = useIsReadOnly();
  const problems = listProblems(form.formState.errors.environmentVariables, 'environmentVariables');
  const messages = [...new Set(problems.map((problem) => text(problem.message)))];

  /** Pasted names replace the same ones. */
  function take(entries: DotEnvEntry[]) {
    const names = new Set(entries.map((entry) => entry.name));
    const kept = form.getValues('environmentVariables').filter((row) => !names.has(row.name));
    rows.replace([...kept, ...entries.map((entry) => ({ ...entry, secret: false, isKept: false }))]);
  }

  return (
    <FormSection id="environment" title={t('title')}>
      <div>
        <GridTable
          label={t('title')}
          heads={[
            t('name'),
            t('value'),
            t('secret'),
            <span key="x" className="sr-only">
              {t('actions')}
            </span>,
          ]}
          widths={['30%', 'auto', '70px', '40px']}
          footer={
            !isReadOnly && (
              <>
                <Button
                  variant="ghost"
                  size="sm"
                  data-path="environmentVariables"
                  onClick={() => rows.append({ name: '', value: '', secret: false, isKept: false })}
                >
                  <Plus className="size-4" />
                  {t('add')}
                </Button>
                <Button variant="ghost" size="sm" onClick={() => setPasting(true)}>
                  <ClipboardPaste className="size-4" />
                  {t('paste')}
                </Button>
              </>
            )
          }
        >
          {isReadOnly && rows.fields.length === 0 && <GridNone columns={4}>{t('none')}</GridNone>}
          {rows.fields.map((row, index) => (
            <VariableRow key={row.id} form={form} index={index} onRemove={() => rows.remove(index)} />
          ))}
        </GridTable>
        {messages.map((message) => (
          <FieldError key={message}>{message}</FieldError>
        ))}
        <FieldChange name="environmentVariables" />
      </div>
      {isPasting && <DotEnvDialog onClose={() => setPasting(false)} onTake={take} />}
    </FormSection>
  );
}

/** A value of several lines keeps them: an input would drop them without a word. */
function ValueInput({ form, index }: { form: UseFormReturn<WorkspaceValues>; index: number }) {
  const t = useTranslations('pages.workspaces.environment');
  const at = `environmentVariables.${index}` as const;
  const row = useWatch({ control: form.control, name: at });
  const lines = (row?.value ?? '').split('\n').length;
  const props = {
    'aria-label': t('valueOf', { row: index + 1 }),
    'aria-invalid': Boolean(get(form.formState.errors, `${at}.value`)),
  };
  if (lines > 1) {
    return (
      <GridTextarea
        {...props}
        isMasked={row?.secret === true}
        rows={Math.min(lines, MOST_LINES)}
        {...form.register(`${at}.value`)}
      />
    );
  }
  return (
    <GridInput
      {...props}
      type={row?.secret ? 'password' : 'text'}
      {...(row?.secret ? { autoComplete: 'new-password' } : {})}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain').replaceAll('\r\n', '\n').replace(/\n$/, '');
        if (!pasted.includes('\n')) return;
        event.preventDefault();
        const { value, selectionStart, selectionEnd } = event.currentTarget;
        const [before, after] = [value.slice(0, selectionStart ?? 0), value.slice(selectionEnd ?? value.length)];
        form.setValue(`${at}.value`, before + pasted + after, { shouldDirty: true });
      }}
      {...form.register(`${at}.value`)}
    />
  );
}

function VariableRow({
  form,
  index,
  onRemove,
}: {
  form: UseFormReturn<WorkspaceValues>;
  index: number;
  onRemove: () => void;
}) {
  const t = useTranslations('pages.workspaces.environment');
  const at = `environmentVariables.${index}` as const;
  const isReadOnly = useIsReadOnly();
  const row = useWatch({ control: form.control, name: at });
  const isWrong = (field: 'name' | 'value') => Boolean(get(form.formState.errors, `${at}.${field}`));
  const replace = () => form.setValue(`${at}.isKept`, false, { shouldDirty: true });
  return (
    <tr>
      <GridCell label={t('name')} className="@max-md:col-span-2" isWrong={isWrong('name')}>
        <GridInput
          aria-label={t('nameOf', { row: index + 1 })}
          aria-invalid={isWrong('name')}
          placeholder={t('namePlaceholder')}
          {...form.register(`${at}.name`)}
        />
      </GridCell>
      <GridCell label={t('value')} isWrong={isWrong('value')}>
        {row?.secret && row.isKept ? (
          <span className="text-text-3 flex items-center gap-2 px-2.5">
            <Lock className="size-3.5" aria-hidden="true" />
            <span className="truncate">{t('kept')}</span>
            {!isReadOnly && (
              <button type="button" className="text-accent-text ml-auto rounded-sm hover:underline" onClick={replace}>
                {t('replace')}
              </button>
            )}
          </span>
        ) : (
          <ValueInput form={form} index={index} />
        )}
      </GridCell>
      <GridCell label={t('secret')}>
        <span className="flex h-full items-center justify-center @max-md:justify-start @max-md:px-2.5">
          <Controller
            control={form.control}
            name={`${at}.secret`}
            render={({ field }) => (
              <Switch
                aria-label={t('secretOf', { row: index + 1 })}
                checked={field.value}
                onCheckedChange={(checked) => {
                  field.onChange(checked);
                  if (!checked) replace();
                }}
              />
            )}
          />
        </span>
      </GridCell>
      <GridCell className="text-center">
        {!isReadOnly && (
          <IconButton size="sm" label={t('remove', { row: index + 1 })} onClick={onRemove}>
            <X className="size-3.5" />
          </IconButton>
        )}
      </GridCell>
    </tr>
  );
}
