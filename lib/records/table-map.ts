import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { quote } from './sql';

/** One column of a table: its property name, which is its wire name, and its form in the database. */
export interface ColumnMap {
  readonly key: string;
  /** Quoted. */
  readonly column: string;
  readonly defaultValue: unknown;
  encode(value: unknown): unknown;
  /** Absent where the stored form is the wire form. */
  readonly decode?: (stored: unknown) => unknown;
}

export interface TableMap {
  /** Quoted. */
  readonly name: string;
  readonly columns: readonly ColumnMap[];
  readonly byKey: ReadonlyMap<string, ColumnMap>;
}

const maps = new WeakMap<SQLiteTable, TableMap>();

/** The table's columns as prepared statements need them, worked out once. */
export function tableMapOf(table: SQLiteTable): TableMap {
  const known = maps.get(table);
  if (known) return known;
  const columns = Object.entries(getTableColumns(table)).map(([key, column]): ColumnMap => ({
    key,
    column: quote(column.name),
    defaultValue: column.default ?? null,
    encode: (value) => (value === null || value === undefined ? null : column.mapToDriverValue(value)),
    decode: decoderOf(column.dataType),
  }));
  const map = {
    name: quote(getTableConfig(table).name),
    columns,
    byKey: new Map(columns.map((column) => [column.key, column])),
  };
  maps.set(table, map);
  return map;
}

function decoderOf(dataType: string): ColumnMap['decode'] {
  if (dataType === 'boolean') return (stored) => stored === 1;
  if (dataType === 'json') return decodeJson;
  return undefined;
}

/** Empty lists and objects are the commonest values, and parsing is not free. */
function decodeJson(stored: unknown): unknown {
  if (stored === null) return null;
  if (stored === '[]') return [];
  return JSON.parse(String(stored)) as unknown;
}

/** Every column, as a select or an insert names them. */
export function allColumns(map: TableMap): string {
  return map.columns.map(({ column }) => column).join(', ');
}

/** Throws on a name that is no column: it would otherwise be left out without a word. */
export function columnOf(map: TableMap, key: string): string {
  const column = map.byKey.get(key);
  if (!column) throw new Error(`${map.name} has no column ${key}`);
  return column.column;
}

/** A raw row in the order of the given columns, keyed by wire name. */
export function decodeRow(columns: readonly ColumnMap[], raw: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]!;
    row[column.key] = column.decode ? column.decode(raw[index]) : raw[index];
  }
  return row;
}
