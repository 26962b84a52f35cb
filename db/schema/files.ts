import { index, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { boolColumn, holderColumns, listColumn, numberColumn, recordColumns, textColumn } from './columns';

/** The file archive: uploads, and addresses of files that lie elsewhere. */
export const filesTable = sqliteTable(
  'files',
  {
    ...recordColumns(),
    name: textColumn('name'),
    description: textColumn('description'),
    type: textColumn('type'),
    content_type: textColumn('content_type'),
    /** Bytes. */
    size: numberColumn('size'),
    url: textColumn('url'),
    /** Stored name of the upload. */
    file: textColumn('file'),
    created_by: textColumn('created_by'),
    tags: listColumn('tags'),
  },
  (table) => [
    uniqueIndex('files_name_unique').on(table.name),
    index('files_created_by').on(table.created_by),
    index('files_created').on(table.created),
  ],
);

export const filePermissionsTable = sqliteTable(
  'file_permissions',
  {
    ...recordColumns(),
    ...holderColumns(),
    file: textColumn('file'),
    view: boolColumn('view'),
    modify: boolColumn('modify'),
    delete: boolColumn('delete'),
  },
  (table) => [
    uniqueIndex('file_permissions_holder_file_unique').on(table.user, table.group, table.file),
    // What groups hold is read out of the index alone.
    index('file_permissions_group').on(table.group, table.file, table.view, table.modify, table.delete),
    index('file_permissions_file').on(table.file),
  ],
);
