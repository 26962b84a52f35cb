'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { AffixInput } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import type { QuotaField } from '@/lib/vocabulary/quota';
import { type QuotaValues, WAYS } from './quota-values';

type Counted = 'workspaces' | 'running' | 'gpus';
const COUNTED: readonly QuotaField[] = ['workspaces', 'running', 'gpus'];
const hasUnit = (name: QuotaField): name is Exclude<QuotaField, Counted> => !COUNTED.includes(name);

interface BoundFieldsProps {
  form: UseFormReturn<QuotaValues>;
  field: QuotaField;
  kind: 'user' | 'group' | 'default';
}

/** How much of one thing somebody may have: as others say, a number, or no limit. */
export function BoundFields({ form, field: name, kind }: BoundFieldsProps) {
  const t = useTranslations('pages.quotas');
  const by = useWatch({ control: form.control, name: `${name}.by` });
  // Nothing comes after what is for everybody: not said is not bound.
  const ways = kind === 'default' ? WAYS.filter((way) => way !== 'unlimited') : WAYS;
  const wordsOf = (way: (typeof WAYS)[number]): ReactNode =>
    way === 'unset' ? t(`unset.${kind}`) : t(way === 'bound' ? 'atMost' : 'unlimited');
  return (
    <div className="grid grid-cols-2 items-start gap-3.5 max-sm:grid-cols-1">
      <FormField
        form={form}
        name={`${name}.by`}
        label={t(`amounts.${name}`)}
        hint={name === 'workspaces' ? undefined : t(`hints.${name}`)}
      >
        {(control) => (
          <Controller
            control={form.control}
            name={`${name}.by`}
            render={({ field }) => (
              <Select
                {...control}
                className="w-full"
                value={field.value === 'unlimited' && kind === 'default' ? 'unset' : field.value}
                onValueChange={(way) => {
                  form.clearErrors(name);
                  field.onChange(way);
                }}
                options={ways.map((way) => ({ value: way, label: wordsOf(way) }))}
              />
            )}
          />
        )}
      </FormField>
      {by === 'bound' && (
        <FormField form={form} name={`${name}.at`} label={t(`mostLabels.${name}`)}>
          {(control) => (
            <AffixInput
              {...control}
              inputMode="decimal"
              autoComplete="off"
              after={hasUnit(name) ? <span className="text-small text-text-3">{t(`units.${name}`)}</span> : undefined}
              {...form.register(`${name}.at`)}
            />
          )}
        </FormField>
      )}
    </div>
  );
}
