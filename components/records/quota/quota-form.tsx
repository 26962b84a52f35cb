'use client';

import { useTranslations } from 'next-intl';
import { FormSection } from '@/components/records/form-layout';
import { applyProblems } from '@/components/records/form-problems';
import { RecordForm } from '@/components/records/record-form';
import { RecordPage } from '@/components/records/record-page';
import { QUOTA_AMOUNTS, QUOTA_FIELDS, QUOTA_TIMES, type QuotaField } from '@/lib/vocabulary/quota';
import { BoundFields } from './bound-fields';
import { QuotaUsage } from './quota-usage';
import { quotaFormSchema, type QuotaRecord, toBody, toValues } from './quota-values';
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

const SHOWN_AT = Object.fromEntries(QUOTA_FIELDS.map((field) => [field, `${field}.at`])) as Record<
  string,
  `${QuotaField}.at`
>;

function LoadedForm({ holder, name, quota }: QuotaFormProps & { quota: QuotaRecord | null }) {
  const t = useTranslations('pages.quotas');
  const kind = holder.user ? 'user' : holder.group ? 'group' : 'default';
  const fieldIn = (path: string) => path.split('.')[0] as QuotaField;
  // For everybody the settings of time say it.
  const hasTimes = kind !== 'default';
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
        ...(hasTimes ? [{ id: 'time', label: t('time'), isWrong: isWrong(...QUOTA_TIMES) }] : []),
      ]}
      labelOf={(path) => t(`amounts.${fieldIn(path)}`)}
    >
      {(form) => (
        <>
          {holder.user && (
            <FormSection id="in-use" title={t('usage')} text={t('usageText')}>
              <QuotaUsage userId={holder.user} />
            </FormSection>
          )}
          <FormSection id="quota" title={t(`titles.${kind}`)} text={t(`texts.${kind}`)} isLast={!hasTimes}>
            {QUOTA_AMOUNTS.map((amount) => (
              <BoundFields key={amount} form={form} field={amount} kind={kind} />
            ))}
          </FormSection>
          {hasTimes && (
            <FormSection id="time" title={t('time')} text={t('timeText')} isLast>
              {QUOTA_TIMES.map((time) => (
                <BoundFields key={time} form={form} field={time} kind={kind} />
              ))}
            </FormSection>
          )}
        </>
      )}
    </RecordForm>
  );
}
