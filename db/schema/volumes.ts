import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { boolColumn, holderColumns, recordColumns, textColumn } from './columns';

export const volumesTable = sqliteTable(
  'volumes',
  {
    ...recordColumns(),
    name: textColumn('name'),
    host: textColumn('host'),
    created_by: textColumn('created_by'),
    /** Empty for a named volume; a bind mount otherwise. */
    path_on_host: textColumn('path_on_host'),
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    observedAt: textColumn('observed_at'),
  },
  (table) => [
    uniqueIndex('volumes_name_host_unique').on(table.name, table.host),
    index('volumes_host').on(table.host),
    index('volumes_created_by').on(table.created_by),
    index('volumes_created').on(table.created),
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
