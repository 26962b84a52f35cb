import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { BackupSchedule } from '@/lib/vocabulary/backup-schedule';
import { boolColumn, holderColumns, jsonColumn, listColumn, numberColumn, recordColumns, textColumn } from './columns';

export const volumesTable = sqliteTable(
  'volumes',
  {
    ...recordColumns(),
    name: textColumn('name'),
    host: textColumn('host'),
    created_by: textColumn('created_by'),
    tags: listColumn('tags'),
    /** Empty for a named volume; a bind mount otherwise. */
    path_on_host: textColumn('path_on_host'),
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    observedAt: textColumn('observed_at'),
    /** Bytes on the disk of the host, as they were counted last. */
    sizeBytes: numberColumn('size_bytes'),
    /** Whether there is more than could be counted in time. */
    sizeIsLeast: boolColumn('size_is_least'),
    /** Empty before it was counted once. */
    sizedAt: textColumn('sized_at'),
    backupSchedule: jsonColumn<BackupSchedule | null>('backup_schedule'),
    /** Empty without a schedule. */
    nextBackupAt: textColumn('next_backup_at'),
  },
  (table) => [
    uniqueIndex('volumes_name_host_unique').on(table.name, table.host),
    index('volumes_host').on(table.host),
    index('volumes_created_by').on(table.created_by),
    index('volumes_created').on(table.created),
    index('volumes_next_backup').on(table.nextBackupAt),
  ],
);

export const volumePermissionsTable = sqliteTable(
  'volume_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    volume: textColumn('volume'),
    attach: boolColumn('attach'),
    modify: boolColumn('modify'),
    delete: boolColumn('delete'),
  },
  (table) => [
    uniqueIndex('volume_permissions_holder_volume_unique').on(table.user, table.group, table.volume),
    // What groups hold is read out of the index alone.
    index('volume_permissions_group').on(table.group, table.volume, table.attach, table.modify, table.delete),
    index('volume_permissions_volume').on(table.volume),
  ],
);

/** Tars of volumes that the console keeps. */
export const volumeBackupsTable = sqliteTable(
  'volume_backups',
  {
    ...recordColumns(),
    volume: textColumn('volume'),
    /** Who had it made; empty for the schedule. */
    created_by: textColumn('created_by'),
    /** `asked`, `schedule` or `upload`. */
    origin: textColumn('origin'),
    /** `running`, `done` or `failed`. */
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    finished: textColumn('finished'),
    /** Bytes on the console's disk, packed. */
    sizeBytes: numberColumn('size_bytes'),
    /** Bytes of the tar. */
    tarBytes: numberColumn('tar_bytes'),
    entries: numberColumn('entries'),
    /** Devices that were left out. */
    leftOut: numberColumn('left_out'),
    /** What became of the last restore: empty for none, `running`, `done` or `failed`. */
    restoreStatus: textColumn('restore_status'),
    restoreMessage: textColumn('restore_message'),
    restoredAt: textColumn('restored_at'),
  },
  (table) => [
    index('volume_backups_volume').on(table.volume),
    index('volume_backups_status').on(table.status),
    index('volume_backups_created').on(table.created),
  ],
);
