import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { getDb } from '@/db/client';
import { boolColumn, jsonColumn, numberColumn, recordColumns, textColumn } from '@/db/schema/columns';
import { admin, signedIn, type Policy } from '@/lib/policies/rules';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { text as textField } from '@/lib/records/fields/text';
import { registerCollections } from '@/lib/records/registry';

/** Two collections of the tests' own: shelves, and books with single, multiple and json fields. */
const policy: Policy = { list: signedIn, view: signedIn, create: signedIn, update: signedIn, delete: admin, can: {} };

const shelvesTable = sqliteTable('test_shelves', { ...recordColumns(), name: textColumn('name') });
const booksTable = sqliteTable('test_books', {
  ...recordColumns(),
  title: textColumn('title'),
  note: text('note'),
  pages: numberColumn('pages'),
  lent: boolColumn('lent'),
  shelf: textColumn('shelf'),
  shelves: jsonColumn<string[]>('shelves').notNull().default([]),
  data: jsonColumn<unknown>('data'),
  unused: integer('unused'),
});

export const shelves = defineCollection({
  id: 'testshelves0001',
  name: 'shelves',
  table: shelvesTable,
  fields: { name: searched(textField({ max: 20 })) },
  policy,
});

export const books = defineCollection({
  id: 'testbooks000001',
  name: 'books',
  table: booksTable,
  fields: {
    title: searched(textField({ required: true })),
    note: searched(textField()),
    pages: searched(number({ max: 1_000_000 })),
    lent: searched(bool()),
    shelf: searched(relation('shelves')),
    shelves: searched(relation('shelves', { max: 9, cascadeDelete: true })),
    data: searched(json()),
  },
  policy,
});

/** Makes the tables and makes the collections known; call after the database is open. */
export function openShelves(): void {
  getDb().sqlite.exec(`
    CREATE TABLE IF NOT EXISTS test_shelves (id TEXT PRIMARY KEY, created TEXT NOT NULL, updated TEXT NOT NULL, name TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS test_books (id TEXT PRIMARY KEY, created TEXT NOT NULL, updated TEXT NOT NULL, title TEXT NOT NULL,
      note TEXT, pages REAL NOT NULL, lent INTEGER NOT NULL, shelf TEXT NOT NULL, shelves TEXT, data TEXT, unused INTEGER);`);
  registerCollections([shelves, books]);
}
