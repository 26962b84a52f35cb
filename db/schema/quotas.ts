import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { QuotaValue } from '@/lib/vocabulary/quota';
import { holderColumns, jsonColumn, recordColumns } from './columns';

/** How much somebody may have: a person, each member of a group, or everybody where neither is named. */
export const quotasTable = sqliteTable(
  'quotas',
  {
    ...recordColumns(),
    ...holderColumns(),
    workspaces: jsonColumn<QuotaValue>('workspaces'),
    running: jsonColumn<QuotaValue>('running'),
    cpus: jsonColumn<QuotaValue>('cpus'),
    memoryBytes: jsonColumn<QuotaValue>('memory_bytes'),
    gpus: jsonColumn<QuotaValue>('gpus'),
    storageBytes: jsonColumn<QuotaValue>('storage_bytes'),
    idleMinutesMax: jsonColumn<QuotaValue>('idle_minutes_max'),
    deleteDaysMax: jsonColumn<QuotaValue>('delete_days_max'),
    keepHoursMax: jsonColumn<QuotaValue>('keep_hours_max'),
  },
  (table) => [
    uniqueIndex('quotas_holder_unique').on(table.user, table.group),
    index('quotas_group').on(table.group),
    index('quotas_created').on(table.created),
  ],
);
