import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { getDb } from '@/db/database';
import { boolColumn, jsonColumn, listColumn, numberColumn, recordColumns, textColumn } from '@/db/schema/columns';
import { admin, signedIn, type Policy } from '@/lib/policies/rules';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { date } from '@/lib/records/fields/date';
import { json } from '@/lib/records/fields/json';
import { number } from '@/lib/records/fields/number';
import { relation } from '@/lib/records/fields/relation';
import { select } from '@/lib/records/fields/select';
import { text as textField } from '@/lib/records/fields/text';
import { registerCollections } from '@/lib/records/registry';
import { write } from '@/lib/records/transaction';

/** Rooms with cases with papers, which may lie in further cases and have one label each: every kind of path. */
const policy: Policy = { list: signedIn, view: signedIn, create: signedIn, update: signedIn, delete: admin, can: {} };

const roomsTable = sqliteTable('test_rooms', {
  ...recordColumns(),
  name: textColumn('name'),
  floor: numberColumn('floor'),
});
const casesTable = sqliteTable('test_cases', {
  ...recordColumns(),
  name: textColumn('name'),
  room: textColumn('room'),
});
const papersTable = sqliteTable('test_papers', {
  ...recordColumns(),
  title: textColumn('title'),
  note: text('note'),
  pages: numberColumn('pages'),
  lent: boolColumn('lent'),
  at: textColumn('at'),
  kinds: listColumn('kinds'),
  place: textColumn('place'),
  copies: listColumn('copies'),
  data: jsonColumn<unknown>('data'),
});
const labelsTable = sqliteTable('test_labels', {
  ...recordColumns(),
  word: textColumn('word'),
  paper: textColumn('paper'),
});

export const rooms = defineCollection({
  id: 'testrooms000001',
  name: 'rooms',
  table: roomsTable,
  fields: { name: searched(textField()), floor: searched(number()) },
  policy,
});

export const cases = defineCollection({
  id: 'testcases000001',
  name: 'cases',
  table: casesTable,
  fields: { name: searched(textField()), room: searched(relation('rooms')) },
  policy,
});

export const papers = defineCollection({
  id: 'testpapers00001',
  name: 'papers',
  table: papersTable,
  fields: {
    title: searched(textField()),
    note: searched(textField()),
    pages: searched(number()),
    lent: searched(bool()),
    at: searched(date()),
    kinds: searched(select({ values: ['map', 'list', 'draft'], max: 3 })),
    place: searched(relation('cases')),
    copies: searched(relation('cases', { max: 9 })),
    data: searched(json()),
  },
  policy,
});

export const labels = defineCollection({
  id: 'testlabels00001',
  name: 'labels',
  table: labelsTable,
  fields: { word: searched(textField()), paper: searched(relation('papers')) },
  unique: [{ fields: ['paper'] }],
  policy,
});

export interface Room {
  id: string;
  name: string;
  floor: number;
}
export interface Case {
  id: string;
  name: string;
  room: string;
}
export interface Paper {
  id: string;
  title: string;
  note: string | null;
  pages: number;
  lent: boolean;
  at: string;
  kinds: string[];
  place: string;
  copies: string[];
  data: unknown;
}
export interface Label {
  id: string;
  word: string;
  paper: string;
}

/** The same rows in memory, in the order of their making. */
export interface Library {
  rooms: Room[];
  cases: Case[];
  papers: Paper[];
  labels: Label[];
}

export const WORDS = ['va', 'vb', 'VA', 'Vb', '', 'v', '50%', 'a_b', 'axb', 'C:\\temp', 'é', 'É', '10', '10.0', "it's"];
export const NUMBERS = [0, 1, 2.5, 9, 10, -3, 123];
export const DATES = [
  '',
  '2024-02-28 23:59:59.999Z',
  '2024-02-29 00:00:00.000Z',
  '2024-02-29 13:05:09.123Z',
  '2024-12-31 23:59:59.999Z',
];
const DATA = [
  null,
  'va',
  10,
  { a: 10 },
  { a: '10', list: ['x', 5] },
  { a: null, list: [] },
  { a: true, list: [null, ''] },
  { a: 2.5 },
];
const KINDS = [[], ['map'], ['list', 'map'], ['map', 'list', 'draft']];

const id = (kind: string, at: number): string => `${kind}${String(at).padStart(15 - kind.length, '0')}`;

/** A fixed library: every value meets every other somewhere, some ids lead nowhere, some rooms and cases are empty. */
export function makeLibrary(): Library {
  let seed = 20240229;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const of = <T>(values: readonly T[]): T => values[next(values.length)]!;
  const roomRows = [0, 1, 2, 3].map((at) => ({ id: id('room', at), name: WORDS[at]!, floor: NUMBERS[at]! }));
  const caseRows = Array.from({ length: 14 }, (_, at) => ({
    id: id('case', at),
    name: of(WORDS),
    room: at === 0 ? '' : at === 1 ? 'gone00000000000' : roomRows[next(3)]!.id,
  }));
  const someCase = (): string => caseRows[next(12)]!.id;
  const paperRows = Array.from({ length: 240 }, (_, at) => ({
    id: id('paper', at),
    title: of(WORDS),
    note: next(4) === 0 ? null : of(WORDS),
    pages: of(NUMBERS),
    lent: next(2) === 0,
    at: of(DATES),
    kinds: of(KINDS),
    place: next(8) === 0 ? '' : next(20) === 0 ? 'gone00000000000' : someCase(),
    copies: [...new Set(Array.from({ length: next(4) }, someCase))].concat(next(12) === 0 ? ['gone00000000000'] : []),
    data: of(DATA),
  }));
  const labelRows = paperRows
    .filter(() => next(3) > 0)
    .map((paper, at) => ({ id: id('label', at), word: of(WORDS), paper: paper.id }));
  return { rooms: roomRows, cases: caseRows, papers: paperRows, labels: labelRows };
}

/** Makes the tables, makes the collections known and stores the library; call after the database is open. */
export async function openLibrary({ rooms: r, cases: c, papers: p, labels: l }: Library): Promise<void> {
  const own = 'id TEXT PRIMARY KEY, created TEXT NOT NULL, updated TEXT NOT NULL';
  getDb().sqlite.exec(`
    CREATE TABLE test_rooms (${own}, name TEXT NOT NULL, floor REAL NOT NULL);
    CREATE TABLE test_cases (${own}, name TEXT NOT NULL, room TEXT NOT NULL);
    CREATE TABLE test_papers (${own}, title TEXT NOT NULL, note TEXT, pages REAL NOT NULL, lent INTEGER NOT NULL,
      "at" TEXT NOT NULL, kinds TEXT, place TEXT NOT NULL, copies TEXT, data TEXT);
    CREATE TABLE test_labels (${own}, word TEXT NOT NULL, paper TEXT NOT NULL UNIQUE);
    CREATE INDEX test_cases_room ON test_cases (room);
    CREATE INDEX test_papers_place ON test_papers (place);`);
  registerCollections([rooms, cases, papers, labels]);
  await write((tx) => {
    for (const row of r) tx.insert(rooms, row as never);
    for (const row of c) tx.insert(cases, row as never);
    for (const row of p) tx.insert(papers, row as never);
    for (const row of l) tx.insert(labels, row as never);
  });
}
