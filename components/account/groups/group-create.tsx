'use client';

import { useTranslations } from 'next-intl';
import { CreateForm } from '@/components/records/create-form';
import { paths } from '@/lib/paths';
import { GroupFields, groupSchema } from './group-fields';

export function GroupCreate() {
  const t = useTranslations('pages.groups');
  return (
    <CreateForm
      collection="groups"
      schema={groupSchema}
      defaultValues={{ name: '', description: '' }}
      words={{ title: t('create.title'), section: t('basics'), button: t('create.button') }}
      labelOf={(path) => t(`labels.${path as 'name'}`)}
      hrefOf={(id) => paths.group(id, 'members')}
      nameOf={({ name }) => name}
    >
      {(form) => <GroupFields form={form} />}
    </CreateForm>
  );
}
