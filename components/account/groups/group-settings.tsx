'use client';

import { useTranslations } from 'next-intl';
import type { GroupRecord } from '@/components/data/types';
import { RecordForm } from '@/components/records/record-form';
import { useRecordSource } from '@/components/records/record-source';
import { GroupFields, groupSchema, toValues } from './group-fields';

export function GroupSettings({ group }: { group: GroupRecord }) {
  const t = useTranslations('pages.groups');
  return (
    <RecordForm
      source={useRecordSource('groups', group)}
      schema={groupSchema}
      toValues={toValues}
      nameOf={(saved) => saved.name}
      canEdit={group.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'basics', label: t('basics'), isWrong: isWrong('name', 'description') }]}
      labelOf={(path) => t(`labels.${path as 'name'}`)}
    >
      {(form) => <GroupFields form={form} />}
    </RecordForm>
  );
}
