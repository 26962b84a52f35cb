'use client';

import { HardDrive, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Controller, get, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { FieldChange } from '@/components/records/field-change';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { FormSection } from '@/components/records/form-layout';
import { IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridInput, GridNone, GridTable } from '@/components/ui/grid-table';
import { Select } from '@/components/ui/select';
import { AddedName, AddRecord } from '@/components/records/add-record';
import { useVolumeChoices } from './mount-choices';
import type { WorkspaceValues } from './workspace-schema';

export function VolumesSection({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.volumes');
  const rows = useFieldArray({ control: form.control, name: 'volumes' });
  const host = useWatch({ control: form.control, name: 'host' });
  const choices = useVolumeChoices(host);
  const text = useProblemText();
  const isReadOnly = useIsReadOnly();
  const problems = listProblems(form.formState.errors.volumes, 'volumes');
  const messages = [...new Set(problems.map((problem) => text(problem.message)))];

  function add(volume: string) {
    if (form.getValues('volumes').some((row) => row.volume === volume))
      return form.setError('volumes', { type: 'twice', message: 'volumeAlreadyAdded' });
    form.clearErrors('volumes');
    rows.append({ volume, path: '', readOnly: false }, { focusName: `volumes.${rows.fields.length}.path` });
  }

  return (
    <FormSection id="volumes" title={t('title')}>
      <div>
        <GridTable
          label={t('title')}
          heads={[
            t('volume'),
            t('path'),
            t('access'),
            <span key="x" className="sr-only">
              {t('actions')}
            </span>,
          ]}
          widths={['36%', 'auto', '150px', '40px']}
          footer={
            !isReadOnly && (
              <AddRecord
                choices={choices}
                label={t('add')}
                searchLabel={t('search')}
                emptyText={t('noneToAdd')}
                path="volumes"
                isDisabled={host === ''}
                onAdd={add}
              />
            )
          }
        >
          {isReadOnly && rows.fields.length === 0 && <GridNone columns={4}>{t('none')}</GridNone>}
          {rows.fields.map((row, index) => (
            <VolumeRow
              key={row.id}
              form={form}
              index={index}
              choices={choices}
              onRemove={() => {
                rows.remove(index);
                form.clearErrors('volumes');
              }}
            />
          ))}
        </GridTable>
        {messages.map((message) => (
          <FieldError key={message}>{message}</FieldError>
        ))}
        {messages.length === 0 && !isReadOnly && (
          <p className="text-small text-text-3 mt-1.5">{host === '' ? t('hostFirst') : t('hint')}</p>
        )}
        <FieldChange name="volumes" wordsOf={() => t('changed')} />
      </div>
    </FormSection>
  );
}

interface VolumeRowProps {
  form: UseFormReturn<WorkspaceValues>;
  index: number;
  choices: ReturnType<typeof useVolumeChoices>;
  onRemove: () => void;
}

function VolumeRow({ form, index, choices, onRemove }: VolumeRowProps) {
  const t = useTranslations('pages.workspaces.volumes');
  const isReadOnly = useIsReadOnly();
  const at = `volumes.${index}` as const;
  const volume = useWatch({ control: form.control, name: `${at}.volume` });
  const isWrong = (field: 'volume' | 'path') => Boolean(get(form.formState.errors, `${at}.${field}`));
  return (
    <tr>
      <GridCell label={t('volume')} isWrong={isWrong('volume')} className="@max-md:col-span-2">
        <span className="flex min-w-0 items-center gap-2 px-2.5" data-invalid={isWrong('volume') ? '' : undefined}>
          <HardDrive className="text-text-3 size-3.5 shrink-0" aria-hidden="true" />
          <AddedName choices={choices} id={volume} />
        </span>
      </GridCell>
      <GridCell label={t('path')} isWrong={isWrong('path')}>
        <GridInput
          aria-label={t('pathOf', { row: index + 1 })}
          aria-invalid={isWrong('path')}
          placeholder="/data"
          {...form.register(`${at}.path`)}
        />
      </GridCell>
      <GridCell label={t('access')}>
        <Controller
          control={form.control}
          name={`${at}.readOnly`}
          render={({ field }) => (
            <Select
              isBare
              aria-label={t('accessOf', { row: index + 1 })}
              value={field.value ? 'read' : 'write'}
              onValueChange={(value) => field.onChange(value === 'read')}
              options={[
                { value: 'write', label: t('readWrite') },
                { value: 'read', label: t('readOnly') },
              ]}
            />
          )}
        />
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
