'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { Button, IconButton } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { NEW_ENTRY, type ForwardAuthValues } from './forward-auth-values';

type Form = UseFormReturn<ForwardAuthValues>;

/** The servers that decide beside the console. */
export function ForwardAuthEntries({ form }: { form: Form }) {
  const t = useTranslations('pages.settings.forwardAuth');
  const rows = useFieldArray({ control: form.control, name: 'entries' });
  return (
    <FormSection id="entries" title={t('entries')} text={t('entriesText')} isLast>
      {rows.fields.length === 0 && <p className="text-table text-text-2">{t('noEntries')}</p>}
      {rows.fields.map((row, index) => (
        <Entry key={row.id} form={form} index={index} onRemove={() => rows.remove(index)} />
      ))}
      <FieldChange name="entries" wordsOf={() => t('changed')} />
      <div>
        <Button
          data-path="entries"
          onClick={() => rows.append(NEW_ENTRY, { focusName: `entries.${rows.fields.length}.name` })}
        >
          <Plus className="size-4" aria-hidden="true" />
          {t('add')}
        </Button>
      </div>
    </FormSection>
  );
}

function Entry({ form, index, onRemove }: { form: Form; index: number; onRemove: () => void }) {
  const t = useTranslations('pages.settings.forwardAuth');
  const at = `entries.${index}` as const;
  const name = useWatch({ control: form.control, name: `${at}.name` });
  return (
    <div role="group" aria-label={t('entry', { row: index + 1 })} className="rounded-card border-line-strong border">
      <div className="border-line flex h-10 items-center gap-2 border-b pr-2 pl-3.5">
        <h3 className="text-table min-w-0 truncate font-medium">{name.trim() || t('new')}</h3>
        <IconButton size="sm" className="ml-auto" label={t('remove', { row: index + 1 })} onClick={onRemove}>
          <X className="size-3.5" />
        </IconButton>
      </div>
      <div className="grid gap-3.5 p-3.5">
        <div className="grid grid-cols-[1fr_2fr] gap-3.5 max-sm:grid-cols-1">
          {(['name', 'address'] as const).map((field) => (
            <FormField key={field} form={form} name={`${at}.${field}`} label={t(`fields.${field}`)}>
              {(control) => (
                <Input
                  {...control}
                  {...form.register(`${at}.${field}`)}
                  isMono={field === 'address'}
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </FormField>
          ))}
        </div>
        <FormField
          form={form}
          name={`${at}.authResponseHeaders`}
          label={t('fields.authResponseHeaders')}
          hint={t('hints.authResponseHeaders')}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register(`${at}.authResponseHeaders`)}
              isMono
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </FormField>
        <FormSwitch
          form={form}
          name={`${at}.trustForwardHeader`}
          label={t('fields.trustForwardHeader')}
          hint={t('hints.trustForwardHeader')}
        />
      </div>
    </div>
  );
}
