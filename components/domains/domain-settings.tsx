'use client';

import { useTranslations } from 'next-intl';
import type { DomainRecord } from '@/components/data/types';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { DomainFields, domainSchema, toValues } from './domain-fields';

export function DomainSettings({ domain }: { domain: DomainRecord }) {
  const t = useTranslations('pages.domains');
  return (
    <RecordForm
      source={useRecordSource('domains', domain)}
      schema={domainSchema}
      toValues={toValues}
      nameOf={(saved) => saved.url}
      canEdit={domain.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'basics', label: t('basics'), isWrong: isWrong('url', 'host', 'tags') }]}
      labelOf={(path) => t(`labels.${path as 'url'}`)}
    >
      {(form) => <DomainFields form={form} />}
    </RecordForm>
  );
}
