import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { boolColumn, holderColumns, listColumn, recordColumns, textColumn } from './columns';

export const domainsTable = sqliteTable(
  'domains',
  {
    ...recordColumns(),
    url: textColumn('url'),
    host: textColumn('host'),
    created_by: textColumn('created_by'),
    tags: listColumn('tags'),
  },
  (table) => [
    uniqueIndex('domains_url_unique').on(table.url),
    index('domains_host').on(table.host),
    index('domains_created').on(table.created),
  ],
);

export const domainPermissionsTable = sqliteTable(
  'domain_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    domain: textColumn('domain'),
    deploy: boolColumn('deploy'),
    modify: boolColumn('modify'),
    delete: boolColumn('delete'),
  },
  (table) => [
    uniqueIndex('domain_permissions_holder_domain_unique').on(table.user, table.group, table.domain),
    // What groups hold is read out of the index alone.
    index('domain_permissions_group').on(table.group, table.domain, table.deploy, table.modify, table.delete),
    index('domain_permissions_domain').on(table.domain),
  ],
);
