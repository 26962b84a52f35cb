'use client';

import { Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useFieldArray, type UseFormReturn } from 'react-hook-form';
import type { HostRecord } from '@/components/data/types';
import { FieldChange } from '@/components/records/field-change';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { Button } from '@/components/ui/button';
import { RegistryAccount } from './registry-account';
import {
  NEW_ACCOUNT,
  registriesSchema,
  toBody,
  toValues,
  type AccountValues,
  type RegistriesValues,
} from './registry-schema';

/** The registry accounts of a host, and who may pull and push with them. */
export function HostRegistries({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.registries');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={registriesSchema}
      toValues={toValues}
      toBody={toBody}
      nameOf={(saved) => saved.name}
      savedHint={t('savedHint')}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'registries', label: t('title'), isWrong: isWrong('registry_auths') }]}
      labelOf={(path) => {
        const [, index, field] = path.split('.');
        return field
          ? t('fieldOf', { field: t(`fields.${field as keyof AccountValues & 'username'}`), row: Number(index) + 1 })
          : t('title');
      }}
    >
      {(form) => <Accounts hostId={host.id} form={form} />}
    </RecordForm>
  );
}

function Accounts({ hostId, form }: { hostId: string; form: UseFormReturn<RegistriesValues> }) {
  const t = useTranslations('pages.hosts.registries');
  const isReadOnly = useIsReadOnly();
  const rows = useFieldArray({ control: form.control, name: 'registry_auths' });
  return (
    <FormSection id="registries" title={t('title')} text={t('text')} isLast>
      {rows.fields.length === 0 && <p className="text-table text-text-2">{t('none')}</p>}
      {rows.fields.map((row, index) => (
        <RegistryAccount key={row.id} hostId={hostId} form={form} index={index} onRemove={() => rows.remove(index)} />
      ))}
      <FieldChange name="registry_auths" wordsOf={() => t('changed')} />
      {!isReadOnly && (
        <div>
          <Button
            data-path="registry_auths"
            onClick={() =>
              rows.append(NEW_ACCOUNT, { focusName: `registry_auths.${rows.fields.length}.serveraddress` })
            }
          >
            <Plus className="size-4" aria-hidden="true" />
            {t('add')}
          </Button>
        </div>
      )}
    </FormSection>
  );
}
