import { index, sqliteTable } from 'drizzle-orm/sqlite-core';
import type { RecommendationVersion } from '@/lib/vocabulary/recommendation';
import { boolColumn, jsonColumn, numberColumn, recordColumns, textColumn } from './columns';

/** Recommendations that were installed from a recommendation server or written here. */
export const recommendationsTable = sqliteTable(
  'recommendations',
  {
    ...recordColumns(),
    kind: textColumn('kind'),
    name: textColumn('name'),
    description: textColumn('description'),
    author: textColumn('author'),
    official: boolColumn('official'),
    stars: numberColumn('stars'),
    /** Address of the server that it came from; empty when written here. */
    server: textColumn('server'),
    /** Its id on that server. */
    serverId: textColumn('server_id'),
    /** The version in use. */
    version: textColumn('version'),
    versions: jsonColumn<RecommendationVersion[]>('versions'),
    installed: boolColumn('installed'),
    autoApply: boolColumn('auto_apply'),
    enabled: boolColumn('enabled'),
    deprecated: boolColumn('deprecated'),
  },
  (table) => [
    index('recommendations_server').on(table.server, table.serverId),
    index('recommendations_name').on(table.name),
    index('recommendations_created').on(table.created),
  ],
);
