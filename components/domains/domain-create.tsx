'use client';

import { useTranslations } from 'next-intl';
import { CreateForm } from '@/components/records/create-form';
import { paths } from '@/lib/paths';
import { DomainFields, domainSchema } from './domain-fields';

export function DomainCreate() {
  const t = useTranslations('pages.domains');
  return (
    <CreateForm
      collection="domains"
      schema={domainSchema}
      defaultValues={{ url: '', host: '', tags: [] }}
      words={{ title: t('create.title'), section: t('basics'), button: t('create.button') }}
      labelOf={(path) => t(`labels.${path as 'url'}`)}
      hrefOf={(id) => paths.domain(id)}
      nameOf={({ url }) => url}
    >
      {(form) => <DomainFields form={form} />}
    </CreateForm>
  );
}
