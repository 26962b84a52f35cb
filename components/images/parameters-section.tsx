'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { get, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormSection } from '@/components/records/form-layout';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { Button, IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridInput, GridNone, GridTable } from '@/components/ui/grid-table';
import type { ImageValues } from './image-schema';

type Form = UseFormReturn<ImageValues>;
type ListName = 'buildArguments' | 'buildSecrets';

/** What a build of a written Dockerfile is given. */
export function ParametersSection({ form, hasSecrets }: { form: Form; hasSecrets: boolean }) {
  const t = useTranslations('pages.images.parameters');
  return (
    <FormSection id="parameters" title={t('title')} text={t('text')}>
      <ParameterList form={form} name="buildArguments" />
      {hasSecrets && <ParameterList form={form} name="buildSecrets" />}
    </FormSection>
  );
}

function ParameterList({ form, name }: { form: Form; name: ListName }) {
  const t = useTranslations(`pages.images.parameters.${name}`);
  const common = useTranslations('pages.images.parameters');
  const isReadOnly = useIsReadOnly();
  const text = useProblemText();
  const rows = useFieldArray({ control: form.control, name });
  const problems = listProblems({ [name]: form.formState.errors[name] as never });
  const messages = [...new Set(problems.map(({ message }) => text(message)))];
  return (
    <div>
      <div className="text-table mb-1.5 leading-4 font-medium">{t('title')}</div>
      <GridTable
        label={t('title')}
        heads={[
          common('name'),
          common('value'),
          <span key="x" className="sr-only">
            {common('actions')}
          </span>,
        ]}
        widths={['34%', 'auto', '40px']}
        footer={
          !isReadOnly && (
            <Button
              variant="ghost"
              size="sm"
              data-path={name}
              onClick={() => rows.append({ name: '', value: '' }, { focusName: `${name}.${rows.fields.length}.name` })}
            >
              <Plus className="size-4" aria-hidden="true" />
              {t('add')}
            </Button>
          )
        }
      >
        {rows.fields.length === 0 && <GridNone columns={3}>{t('none')}</GridNone>}
        {rows.fields.map((row, index) => (
          <ParameterRow key={row.id} form={form} name={name} index={index} onRemove={() => rows.remove(index)} />
        ))}
      </GridTable>
      {messages.map((message) => (
        <FieldError key={message}>{message}</FieldError>
      ))}
      <div className="text-small text-text-3 mt-1.5">{t('hint')}</div>
      <FieldChange name={name} wordsOf={() => t('changed')} />
    </div>
  );
}

interface ParameterRowProps {
  form: Form;
  name: ListName;
  index: number;
  onRemove: () => void;
}

function ParameterRow({ form, name, index, onRemove }: ParameterRowProps) {
  const t = useTranslations(`pages.images.parameters.${name}`);
  const common = useTranslations('pages.images.parameters');
  const isReadOnly = useIsReadOnly();
  const at = `${name}.${index}` as const;
  const called = useWatch({ control: form.control, name: `${at}.name` });
  const isSecret = name === 'buildSecrets';
  const isKept = isSecret && (form.formState.defaultValues?.buildSecrets ?? []).some((each) => each?.name === called);
  const isWrong = (field: 'name' | 'value') => Boolean(get(form.formState.errors, `${at}.${field}`));
  const row = { row: index + 1 };
  return (
    <tr>
      <GridCell label={common('name')} isWrong={isWrong('name')}>
        <GridInput
          aria-label={t('nameOf', row)}
          aria-invalid={isWrong('name')}
          placeholder={isSecret ? 'token' : 'VERSION'}
          {...form.register(`${at}.name`)}
        />
      </GridCell>
      <GridCell label={common('value')} isWrong={isWrong('value')}>
        <GridInput
          aria-label={t('valueOf', row)}
          aria-invalid={isWrong('value')}
          {...(isSecret && { type: 'password', autoComplete: 'new-password' })}
          placeholder={isKept ? common('kept') : ''}
          {...form.register(`${at}.value`)}
        />
      </GridCell>
      <GridCell className="text-center">
        {!isReadOnly && (
          <IconButton size="sm" label={t('remove', row)} onClick={onRemove}>
            <X className="size-3.5" />
          </IconButton>
        )}
      </GridCell>
    </tr>
  );
}
