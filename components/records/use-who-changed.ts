'use client';

import { useTranslations } from 'next-intl';
import { useViewer } from '@/components/data/session-provider';
import { useRecordList } from '@/components/data/records';
import type { AuditRecord, CollectionName } from '@/components/data/types';

/** Who changed a field last, by the audit log; undefined for those who may not read it. */
export function useWhoChanged(collection: CollectionName, recordId: string, field: string): string | undefined {
  const t = useTranslations('common.changed');
  const viewer = useViewer();
  const rows = useRecordList(
    'audit',
    { page: 1, perPage: 20, sort: '-created', filter: `collection = '${collection}' && record = '${recordId}'` },
    { isEnabled: viewer.isAdmin },
  ).data?.items;
  const row = rows && lastChangeOf(rows, field);
  if (!row) return undefined;
  return row.user === viewer.id ? t('you') : row.userName;
}

/** The newest row that names the field; rows that name none may mean any. */
export function lastChangeOf(rows: AuditRecord[], field: string): AuditRecord | undefined {
  return rows.find(({ details: { fields } }) => !Array.isArray(fields) || fields.includes(field));
}
