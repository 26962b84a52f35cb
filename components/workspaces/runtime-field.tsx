'use client';

import { useTranslations } from 'next-intl';
import { Controller, useWatch, type UseFormReturn } from 'react-hook-form';
import { useRecordIfAny } from '@/components/data/records';
import { FormField } from '@/components/records/form-field';
import { Select } from '@/components/ui/select';
import { allowsRuntime } from '@/lib/vocabulary/host-isolation';
import type { WorkspaceValues } from './workspace-schema';

/** An option has to have a value. */
const USUAL = '-';

/** The runtimes that the host has and lets workspaces ask for; the stored one is among them whatever the host says. */
export function RuntimeField({ form }: { form: UseFormReturn<WorkspaceValues> }) {
  const t = useTranslations('pages.workspaces.start');
  const [hostId, runtime, gpus] = useWatch({ control: form.control, name: ['host', 'runtime', 'gpus'] });
  const host = useRecordIfAny('hosts', hostId);
  const offered = (host?.engine?.runtimes ?? []).filter((name) => host && allowsRuntime(host, name));
  const names = [...new Set([...offered, ...(runtime ? [runtime] : [])])].toSorted();
  const usual = gpus.by === 'none' ? host?.default_runtime : host?.default_gpu_runtime;
  return (
    <FormField form={form} name="runtime" label={t('runtime')} hint={t('runtimeHint')}>
      {(control) => (
        <Controller
          control={form.control}
          name="runtime"
          render={({ field }) => (
            <Select
              {...control}
              className="w-full"
              value={field.value || USUAL}
              onValueChange={(value) => field.onChange(value === USUAL ? '' : value)}
              options={[
                { value: USUAL, label: usual ? t('usualRuntime', { name: usual }) : t('hostRuntime') },
                ...names.map((name) => ({ value: name, label: <span className="mono">{name}</span> })),
              ]}
            />
          )}
        />
      )}
    </FormField>
  );
}
