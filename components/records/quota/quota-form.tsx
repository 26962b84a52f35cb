'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { applyProblems } from '@/components/records/form-problems';
import { RecordForm } from '@/components/records/record-form';
import { RecordPage } from '@/components/records/record-page';
import { AffixInput } from '@/components/ui/input';
import { Select } from '@/components/ui/select';
import { QUOTA_AMOUNTS, type QuotaAmount } from '@/lib/vocabulary/quota';
import { QuotaUsage } from './quota-usage';
import { quotaFormSchema, type QuotaRecord, type QuotaValues, toBody, toValues, WAYS } from './quota-values';
import { type QuotaHolder, useQuotaOf, useQuotaSource } from './use-quota-source';

interface QuotaFormProps {
  holder: QuotaHolder;
  /** Of the person, the group, or of what is for everybody. */
  name: string;
}

/** What somebody may have, for admins to set: a person, each member of a group, or everybody. */
export function QuotaForm({ holder, name }: QuotaFormProps) {
  const query = useQuotaOf(holder);
  const loaded = query.data === undefined ? undefined : { quota: query.data };
  return (
    <RecordPage query={{ ...query, data: loaded }} nameOf={() => name}>
      {({ quota }) => <LoadedForm holder={holder} name={name} quota={quota} />}
    </RecordPage>
  );
}

const SHOWN_AT = Object.fromEntries(QUOTA_AMOUNTS.map((amount) => [amount, `${amount}.at`])) as Record<
  string,
  `${QuotaAmount}.at`
>;

function LoadedForm({ holder, name, quota }: QuotaFormProps & { quota: QuotaRecord | null }) {
  const t = useTranslations('pages.quotas');
  const kind = holder.user ? 'user' : holder.group ? 'group' : 'default';
  const amountIn = (path: string) => path.split('.')[0] as QuotaAmount;
  return (
    <RecordForm
      source={useQuotaSource(holder, quota)}
      schema={quotaFormSchema}
      toValues={toValues}
      toBody={toBody}
      nameOf={() => t('of', { name })}
      savedHint={t('savedHint')}
      applyProblems={(form, error, fallback) => applyProblems(form, error, fallback, SHOWN_AT)}
      canEdit
      sections={(isWrong) => [
        ...(holder.user ? [{ id: 'in-use', label: t('usage') }] : []),
        { id: 'quota', label: t(`titles.${kind}`), isWrong: isWrong(...QUOTA_AMOUNTS) },
      ]}
      labelOf={(path) => t(`amounts.${amountIn(path)}`)}
    >
      {(form) => (
        <>
          {holder.user && (
            <FormSection id="in-use" title={t('usage')} text={t('usageText')}>
              <QuotaUsage userId={holder.user} />
            </FormSection>
          )}
          <FormSection id="quota" title={t(`titles.${kind}`)} text={t(`texts.${kind}`)} isLast>
            {QUOTA_AMOUNTS.map((amount) => (
              <AmountFields key={amount} form={form} amount={amount} kind={kind} />
            ))}
          </FormSection>
        </>
      )}
    </RecordForm>
  );
}

interface AmountFieldsProps {
  form: UseFormReturn<QuotaValues>;
  amount: QuotaAmount;
  kind: 'user' | 'group' | 'default';
}

function AmountFields({ form, amount, kind }: AmountFieldsProps) {
  const t = useTranslations('pages.quotas');
  const by = useWatch({ control: form.control, name: `${amount}.by` });
  // Nothing comes after what is for everybody: not said is not bound.
  const ways = kind === 'default' ? WAYS.filter((way) => way !== 'unlimited') : WAYS;
  const wordsOf = (way: (typeof WAYS)[number]): ReactNode =>
    way === 'unset' ? t(`unset.${kind}`) : t(way === 'bound' ? 'atMost' : 'unlimited');
  return (
    <div className="grid grid-cols-2 items-start gap-3.5 max-sm:grid-cols-1">
      <FormField
        form={form}
        name={`${amount}.by`}
        label={t(`amounts.${amount}`)}
        hint={amount === 'workspaces' ? undefined : t(`hints.${amount}`)}
      >
        {(control) => (
          <Controller
            control={form.control}
            name={`${amount}.by`}
            render={({ field }) => (
              <Select
                {...control}
                className="w-full"
                value={field.value === 'unlimited' && kind === 'default' ? 'unset' : field.value}
                onValueChange={(way) => {
                  form.clearErrors(amount);
                  field.onChange(way);
                }}
                options={ways.map((way) => ({ value: way, label: wordsOf(way) }))}
              />
            )}
          />
        )}
      </FormField>
      {by === 'bound' && (
        <FormField form={form} name={`${amount}.at`} label={t(`mostLabels.${amount}`)}>
          {(control) => (
            <AffixInput
              {...control}
              inputMode="decimal"
              autoComplete="off"
              after={
                amount.endsWith('Bytes') || amount === 'cpus' ? (
                  <span className="text-small text-text-3">{t(`units.${amount as 'cpus'}`)}</span>
                ) : undefined
              }
              {...form.register(`${amount}.at`)}
            />
          )}
        </FormField>
      )}
    </div>
  );
}
