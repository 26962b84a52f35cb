'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { HostRecord } from '@/components/data/types';
import { FieldChange } from '@/components/records/field-change';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { Input } from '@/components/ui/input';
import { NvidiaFound } from './nvidia-found';
import { nvidiaFormSchema, toNvidia, type NvidiaValues } from './proxy-schema';

const VERSIONS = ['driverVersion', 'toolkitVersion'] as const;

/** The versions of NVIDIA's driver and toolkit that a host should have, and what it has. */
export function NvidiaTab({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.nvidia');
  return (
    <RecordForm
      source={useRecordSource('hosts', host)}
      schema={nvidiaFormSchema}
      toValues={toNvidia}
      nameOf={(saved) => saved.name}
      canEdit={host.can?.['modify'] === true}
      sections={(isWrong) => [
        { id: 'nvidia-wanted', label: t('title'), isWrong: isWrong('nvidia_driver') },
        ...(host.can?.['modify'] ? [{ id: 'nvidia-found', label: t('found.title') }] : []),
      ]}
      labelOf={(path) => {
        const part = path.split('.')[1] as (typeof VERSIONS)[number] | 'isAdded' | undefined;
        return part && part !== 'isAdded' ? t(`fields.${part}`) : t('title');
      }}
    >
      {(form) => <Fields host={host} form={form} />}
    </RecordForm>
  );
}

function Fields({ host, form }: { host: HostRecord; form: UseFormReturn<NvidiaValues> }) {
  const t = useTranslations('pages.hosts.nvidia');
  const wanted = useWatch({ control: form.control, name: 'nvidia_driver' });
  const maySee = host.can?.['modify'] === true;
  return (
    <>
      <FormSection id="nvidia-wanted" title={t('title')} text={t('text')} isLast={!maySee}>
        <FieldChange name="nvidia_driver" wordsOf={() => t('changed')} />
        <FormSwitch form={form} name="nvidia_driver.isAdded" label={t('add')} hint={t('addHint')} />
        {wanted.isAdded && (
          <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
            {VERSIONS.map((name) => (
              <FormField
                key={name}
                form={form}
                name={`nvidia_driver.${name}`}
                label={t(`fields.${name}`)}
                hint={t(`hints.${name}`)}
              >
                {(control) => (
                  <Input
                    {...control}
                    isMono
                    autoComplete="off"
                    placeholder={t(`examples.${name}`)}
                    {...form.register(`nvidia_driver.${name}`)}
                  />
                )}
              </FormField>
            ))}
          </div>
        )}
      </FormSection>
      {maySee && <NvidiaFound hostId={host.id} wanted={wanted} />}
    </>
  );
}
