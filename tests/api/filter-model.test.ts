import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setClock } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { inReadTime } from '@/lib/records/read-time';
import { listRecords } from '@/lib/records/reader';
import { openPrivateDatabase } from '../setup/database';
import {
  bareCell,
  cellsOf,
  holds,
  modelComparison,
  OPS,
  realCell,
  solveAll,
  sortOrder,
  textCell,
  wholeCell,
  type Cell,
  type ModelFilter,
  type ModelSide,
  type Step,
} from '../setup/filter-model';
import {
  cases,
  DATES,
  makeLibrary,
  NUMBERS,
  openLibrary,
  papers,
  rooms,
  WORDS,
  type Case,
  type Label,
  type Paper,
  type Room,
} from '../setup/library';

/** Random filters and sorts over every kind of path, against an evaluation in memory. */
openPrivateDatabase();

const reader: Actor = { kind: 'user', id: 'reader000000000', isAdmin: false };
const library = makeLibrary();
const NOW_MS = Date.UTC(2024, 1, 29, 13, 5, 9, 123);
let resetClock = () => {};

beforeAll(async () => {
  await openLibrary(library);
  resetClock = setClock(() => NOW_MS);
});
afterAll(() => resetClock());

const caseOf = (id: string): Case[] => library.cases.filter((each) => each.id === id);
const roomOf = ({ room }: Case): Room[] => library.rooms.filter(({ id }) => id === room);
const papersAt = ({ id }: Case): Paper[] => library.papers.filter(({ place }) => place === id);
const copiesIn = ({ id }: Case): Paper[] => library.papers.filter(({ copies }) => copies.includes(id));
const labelOf = ({ id }: Paper): Label[] => library.labels.filter(({ paper }) => paper === id);
const casesIn = ({ id }: Room): Case[] => library.cases.filter(({ room }) => room === id);

/** The ends of paths: what is found there, and what stands there when nothing is. */
type Ends<T> = Record<string, { cell(row: T): Cell; none: Cell }>;
const end = <T>(cell: (row: T) => Cell, none: Cell) => ({ cell, none });
const nothing = textCell(null);
const roomEnds: Ends<Room> = {
  name: end(({ name }) => textCell(name), nothing),
  floor: end(({ floor }) => realCell(floor), realCell(null)),
};
const caseEnds: Ends<Case> = {
  name: end(({ name }) => textCell(name), nothing),
  id: end(({ id }) => textCell(id), nothing),
  'room:length': end(({ room }) => wholeCell(room === '' ? 0 : 1, 'none'), wholeCell(0, 'none')),
};
const keyed = (data: unknown, key: string): unknown =>
  typeof data === 'object' && data !== null ? (data as AnyRow)[key] : undefined;
const paperEnds: Ends<Paper> = {
  title: end(({ title }) => textCell(title), nothing),
  'title:length': end(({ title }) => textCell(title), nothing),
  note: end(({ note }) => textCell(note), nothing),
  pages: end(({ pages }) => realCell(pages), realCell(null)),
  lent: end(({ lent }) => wholeCell(Number(lent)), realCell(null)),
  at: end(({ at }) => textCell(at), nothing),
  place: end(({ place }) => textCell(place), nothing),
  'place:each': end(({ place }) => textCell(place), nothing),
  kinds: end(({ kinds }) => textCell(JSON.stringify(kinds)), nothing),
  'kinds:length': end(({ kinds }) => wholeCell(kinds.length, 'none'), wholeCell(0, 'none')),
  copies: end(({ copies }) => textCell(JSON.stringify(copies)), nothing),
};

const one = <T>(from: (value: T) => readonly unknown[]): Step => ({ from });
const many = <T>(name: string, from: (value: T) => readonly unknown[]): Step => ({ name, from });

/** The ends of a path that has a value for each record it finds, and NULL where it finds none. */
function along<Row, T>(prefix: string, steps: readonly Step[], ends: Ends<T>): ModelSide<Row>[] {
  return Object.entries(ends).map(([name, { cell, none }]) => ({
    text: prefix + name,
    kind: 'column',
    steps,
    end: (value) => (value === undefined ? none : cell(value as T)),
  }));
}

const eachOf = <Row>(text: string, steps: readonly Step[]): ModelSide<Row> => ({
  text,
  kind: 'column',
  steps,
  end: (value) => bareCell((value as string | undefined) ?? null),
});

const jsonAt = <Row>(text: string, read: (row: Row) => unknown): ModelSide<Row> => ({
  text,
  kind: 'json',
  steps: [],
  end: (row) => {
    const value = read(row as Row) ?? null;
    return bareCell(typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string | null));
  },
});

const copiesOf = many<Paper>('copies:each', ({ copies }) => copies);
const papersHere = many<Case>('papers_via_place', papersAt);
const casesHere = many<Room>('cases_via_room', casesIn);
const paperSides: ModelSide<Paper>[] = [
  ...along<Paper, Paper>('', [], paperEnds),
  ...along<Paper, Case>('place.', [one<Paper>(({ place }) => caseOf(place))], caseEnds),
  ...along<Paper, Room>('place.room.', [one<Paper>(({ place }) => caseOf(place)), one(roomOf)], roomEnds),
  ...along<Paper, Label>('labels_via_paper.', [one(labelOf)], { word: end(({ word }) => textCell(word), nothing) }),
  ...along<Paper, Case>('copies.', [copiesOf, one(caseOf)], caseEnds),
  ...along<Paper, Room>('copies.room.', [copiesOf, one(caseOf), one(roomOf)], roomEnds),
  eachOf('copies:each', [copiesOf]),
  eachOf('kinds:each', [many<Paper>('kinds:each', ({ kinds }) => kinds)]),
  jsonAt('data', ({ data }) => data),
  jsonAt('data.a', ({ data }) => keyed(data, 'a')),
  jsonAt('data.list.0', ({ data }) => keyed(keyed(data, 'list'), '0')),
];
const caseSides: ModelSide<Case>[] = [
  ...along<Case, Case>('', [], caseEnds),
  ...along<Case, Room>('room.', [one(roomOf)], roomEnds),
  ...along<Case, Paper>('papers_via_place.', [papersHere], paperEnds),
  ...along<Case, Paper>('papers_via_copies.', [many('papers_via_copies', copiesIn)], paperEnds),
  ...along<Case, Case>(
    'papers_via_place.copies.',
    [papersHere, many<Paper>('papers_via_place.copies:each', ({ copies }) => copies), one(caseOf)],
    caseEnds,
  ),
  eachOf('papers_via_place.kinds:each', [papersHere, many<Paper>('papers_via_place.kinds:each', ({ kinds }) => kinds)]),
];
const roomSides: ModelSide<Room>[] = [
  ...along<Room, Room>('', [], roomEnds),
  ...along<Room, Case>('cases_via_room.', [casesHere], caseEnds),
  ...along<Room, Paper>(
    'cases_via_room.papers_via_place.',
    [casesHere, many('cases_via_room.papers_via_place', papersAt)],
    paperEnds,
  ),
];

const fixed = (text: string, cell: Cell, kind: 'literal' | 'keyword' = 'literal'): ModelSide<unknown> => ({
  text,
  kind,
  steps: [],
  end: () => cell,
});
const quoted = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...WORDS, ...DATES) },
      fc.constantFrom(
        'V%',
        '%b',
        'v_',
        '50\\%',
        'a\\_b',
        'a%b',
        '\\\\te',
        'C:\\%',
        'map',
        '["map"]',
        '%\\_%',
        'case',
        '2024-02',
      ),
      fc
        .array(fc.constantFrom('v', 'A', 'b', '%', '_', '\\', "'", '"', '1', '.', '\n', 'é', ' // ', '&&'), {
          maxLength: 4,
        })
        .map((chars) => chars.join('')),
    ),
    fc.constantFrom("'", '"'),
  )
  .filter(([value]) => !value.endsWith('\\'))
  .map(([value, quote]) => fixed(`${quote}${value.replaceAll(quote, `\\${quote}`)}${quote}`, bareCell(value)));
const numbers = fc
  .constantFrom(...NUMBERS)
  .map((value) =>
    fixed(Number.isInteger(value) && value > 5 ? `${value}.0` : String(value), { value, affinity: 'none' }),
  );
const keywords = fc.constantFrom(
  fixed('null', bareCell(null), 'keyword'),
  fixed('NULL', bareCell(null), 'keyword'),
  fixed('true', bareCell(true), 'keyword'),
  fixed('False', bareCell(false), 'keyword'),
);
const macroValues: Record<string, string | number> = {
  '@now': '2024-02-29 13:05:09.123Z',
  '@second': 9,
  '@minute': 5,
  '@hour': 13,
  '@day': 29,
  '@month': 2,
  '@year': 2024,
  '@weekday': 4,
  '@todayStart': '2024-02-29 00:00:00.000Z',
  '@todayEnd': '2024-02-29 23:59:59.999Z',
  '@monthStart': '2024-02-01 00:00:00.000Z',
  '@monthEnd': '2024-02-29 23:59:59.999Z',
  '@yearStart': '2024-01-01 00:00:00.000Z',
  '@yearEnd': '2024-12-31 23:59:59.999Z',
};
const macros = fc.constantFrom(...Object.entries(macroValues).map(([name, value]) => fixed(name, bareCell(value))));

function filtersOf<Row>(sides: readonly ModelSide<Row>[]): fc.Arbitrary<ModelFilter<Row>> {
  const column = fc.constantFrom(...sides);
  const value = fc.oneof(quoted, numbers, keywords, macros) as fc.Arbitrary<ModelSide<Row>>;
  const operands = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(column, value) },
    { weight: 1, arbitrary: fc.tuple(value, column) },
    { weight: 2, arbitrary: fc.tuple(column, column) },
    { weight: 1, arbitrary: fc.tuple(value, value) },
  );
  const blank = fc.constantFrom('', ' ', '\t', ' \n', ' // a = "b\n');
  const comparison = fc
    .tuple(operands, fc.constantFrom(...OPS), fc.boolean(), blank)
    .map(([[left, right], op, isAny, gap]) => ({
      text: `${left.text}${gap}${isAny ? '?' : ''}${op}${gap}${right.text}`,
      ...modelComparison(left, { op, isAny }, right),
    }));
  return fc.letrec<{ term: ModelFilter<Row>; filter: ModelFilter<Row> }>((tie) => ({
    term: fc.oneof(
      { maxDepth: 3 },
      { weight: 4, arbitrary: comparison },
      { weight: 1, arbitrary: tie('filter').map(({ text, solve }) => ({ text: `(${text} )`, solve })) },
    ),
    filter: fc
      .tuple(tie('term'), fc.array(fc.tuple(fc.constantFrom('&&', '||'), tie('term')), { maxLength: 3 }), blank)
      .map(([first, others, gap]) => ({
        text: first.text + others.map(([join, { text }]) => `${gap}${join}${gap}${text}`).join(''),
        *solve(row, chosen) {
          const groups = [[first]];
          for (const [join, term] of others) {
            if (join === '&&') groups.at(-1)!.push(term);
            else groups.push([term]);
          }
          for (const group of groups) yield* solveAll(group, row, chosen);
        },
      })),
  })).filter;
}

const idsOf = (rows: readonly unknown[]): string[] => (rows as AnyRow[]).map(({ id }) => String(id));

/** On a busy machine a filter with many pairs may be refused for its time: that run says nothing. */
function inTime<T>(read: () => T): T {
  try {
    return inReadTime(read, 1000);
  } catch (error) {
    fc.pre(!(error instanceof AppError && error.message.startsWith('This takes too long')));
    throw error;
  }
}

function agree<Row extends { id: string }>(
  collection: Collection,
  rows: readonly Row[],
  sides: readonly ModelSide<Row>[],
  runs: number,
): void {
  fc.assert(
    fc.property(filtersOf(sides), ({ text, solve }) => {
      // A filter may follow 24 relations.
      fc.pre((text.match(/[a-z]\.[a-z]|:each/g) ?? []).length <= 20);
      const { items, totalItems } = inTime(() => listRecords(collection, reader, { filter: text, perPage: 500 }));
      const expected = idsOf(rows.filter((row) => holds({ solve }, row)));
      expect([text, idsOf(items), totalItems]).toEqual([text, expected, expected.length]);
    }),
    { numRuns: runs },
  );
}

describe('random filters agree with an evaluation in memory', () => {
  test('of records with relations', () => agree(papers as never, library.papers, paperSides, 300));
  test('of records that others point to', () => agree(cases as never, library.cases, caseSides, 200));
  test('of records that others point to through others', () => agree(rooms as never, library.rooms, roomSides, 100));

  const paths = <Row>(sides: readonly ModelSide<Row>[]) => sides.map((side) => [side.text, side] as const);
  /** Each operator on each path at least once, whatever chance brings. */
  function agreeOnPath<Row extends { id: string }>(
    collection: Collection,
    rows: readonly Row[],
    side: ModelSide<Row>,
  ): void {
    const values = fc.sample(fc.oneof(quoted, numbers, keywords, macros), { numRuns: 3, seed: 7 });
    for (const op of OPS) {
      for (const isAny of [false, true]) {
        for (const right of [...values, fixed("''", bareCell(''))]) {
          const filter = `${side.text} ${isAny ? '?' : ''}${op} ${right.text}`;
          const comparison = modelComparison(side, { op, isAny }, right as ModelSide<Row>);
          const { items } = inReadTime(() => listRecords(collection, reader, { filter, perPage: 500 }), 10_000);
          expect([filter, idsOf(items)]).toEqual([filter, idsOf(rows.filter((row) => holds(comparison, row)))]);
        }
      }
    }
  }
  test.each(paths(paperSides))('papers by %s', (_, side) => agreeOnPath(papers as never, library.papers, side));
  test.each(paths(caseSides))('cases by %s', (_, side) => agreeOnPath(cases as never, library.cases, side));
  test.each(paths(roomSides))('rooms by %s', (_, side) => agreeOnPath(rooms as never, library.rooms, side));
});

test('random sorts agree with an order in memory, ties as they were made', () => {
  const sides = paperSides.filter(
    ({ steps, kind, text }) => steps.every(({ name }) => !name) && kind === 'column' && !text.includes(':'),
  );
  const key = fc.tuple(fc.constantFrom(...sides), fc.constantFrom('', '-', '+'), fc.constantFrom('', ' '));
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 90 }), (keys, perPage) => {
      const sort = keys.map(([{ text }, sign, gap]) => `${gap}${sign}${text}${gap}`).join(',');
      const expected = library.papers.toSorted((a, b) => {
        for (const [side, sign] of keys) {
          const order = sortOrder(cellsOf(side, a)[0]!, cellsOf(side, b)[0]!);
          if (order !== 0) return sign === '-' ? -order : order;
        }
        return 0;
      });
      const all: unknown[] = [];
      for (let page = 1; all.length < expected.length; page += 1) {
        const { items } = inReadTime(() => listRecords(papers, reader, { sort, page, perPage }), 10_000);
        if (items.length === 0) break;
        all.push(...items);
      }
      expect([sort, idsOf(all)]).toEqual([sort, idsOf(expected)]);
    }),
    { numRuns: 150 },
  );
});
