import 'server-only';
import { sqliteTable } from 'drizzle-orm/sqlite-core';
import { boolColumn, recordColumns, textColumn } from '@/db/schema/columns';
import { admin, nobody } from '@/lib/policies/rules';
import type { Actor } from '@/lib/policies/actor';
import { defineCollection, type AnyRow } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { describeCollection, type CollectionDescription } from '@/lib/records/describe';
import { bool } from '@/lib/records/fields/bool';
import { text } from '@/lib/records/fields/text';
import { listRecords, type ListOptions, type RecordPage } from '@/lib/records/reader';
import { fillTemporary } from '@/lib/records/temporary';
import { collections } from './collections';

const listTable = sqliteTable('collection_list', {
  ...recordColumns(),
  name: textColumn('name'),
  type: textColumn('type'),
  system: boolColumn('system'),
});

/** What the list of collections may be filtered and sorted by: a table that lives as long as the connection. */
const collectionList = defineCollection({
  id: 'berthcollection',
  name: 'collection_list',
  table: listTable,
  fields: { name: searched(text()), type: searched(text()), system: searched(bool()) },
  policy: { list: admin, view: admin, create: nobody, update: nobody, delete: nobody, can: {} },
});

/** A page of the collections with their schema. Throws AppError `invalid` for a filter or sort that is none. */
export function listCollections(actor: Actor, options: ListOptions): RecordPage<CollectionDescription> {
  const described = new Map(collections.map((each) => [each.id, describeCollection(each)]));
  fillTemporary(collectionList, [...described.values()]);
  const page = listRecords(collectionList, actor, options);
  return { ...page, items: page.items.map((item) => described.get(String((item as AnyRow).id))!) };
}
