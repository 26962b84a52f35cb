import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { boolColumn, holderColumns, listColumn, recordColumns, textColumn } from './columns';

export const networksTable = sqliteTable(
  'networks',
  {
    ...recordColumns(),
    name: textColumn('name'),
    host: textColumn('host'),
    created_by: textColumn('created_by'),
    tags: listColumn('tags'),
    status: textColumn('status'),
    statusMessage: textColumn('status_message'),
    observedAt: textColumn('observed_at'),
  },
  (table) => [
    uniqueIndex('networks_name_host_unique').on(table.name, table.host),
    index('networks_host').on(table.host),
    index('networks_created_by').on(table.created_by),
    index('networks_created').on(table.created),
  ],
);

export const networkPermissionsTable = sqliteTable(
  'network_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    network: textColumn('network'),
    attach: boolColumn('attach'),
    modify: boolColumn('modify'),
    delete: boolColumn('delete'),
  },
  (table) => [
    uniqueIndex('network_permissions_holder_network_unique').on(table.user, table.group, table.network),
    // What groups hold is read out of the index alone.
    index('network_permissions_group').on(table.group, table.network, table.attach, table.modify, table.delete),
    index('network_permissions_network').on(table.network),
  ],
);
