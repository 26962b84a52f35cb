import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { FieldProblems } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import type { Policy } from '@/lib/policies/rules';
import type { Field } from './fields/field';
import { tableMapOf, type ColumnMap, type TableMap } from './table-map';
import type { StoreReader, WriteTransaction } from './transaction';

/** A record as it is stored, keyed by wire name. */
export type RowOf<T> = T extends { $inferSelect: infer Row } ? Row : never;

/** What a new record may be given; the rest takes its column's default. */
export type ValuesOf<T> = T extends { $inferInsert: infer Values }
  ? Omit<Values, 'id' | 'created' | 'updated'> & { id?: string }
  : never;

/** A record whose table is not known to the compiler. */
export type AnyRow = Record<string, unknown>;

/** What a collection's own checks look at, inside the transaction. */
export interface CheckContext<Row = AnyRow> {
  readonly actor: Actor;
  readonly tx: StoreReader;
  /** The record as it would be stored. */
  readonly row: Row;
  /** The record as it is; undefined on create. */
  readonly before: Row | undefined;
  /** The body as sent, modifiers resolved. */
  readonly body: Readonly<AnyRow>;
  /** Names of the fields that were sent. */
  readonly sent: ReadonlySet<string>;
  /** What `prepare` returned. */
  readonly prepared: unknown;
}

export interface PrepareContext<Row = AnyRow> {
  readonly actor: Actor;
  readonly body: Readonly<AnyRow>;
  readonly before: Row | undefined;
  /** What was uploaded, by field. */
  readonly uploads: Readonly<Record<string, readonly { readonly bytes: Buffer }[]>>;
}

/** What a collection adds to the engine's own steps. All but `prepare` run inside the write's transaction. */
export interface Hooks<Row = AnyRow> {
  /** Slow work before the transaction, such as hashing. */
  prepare?(context: PrepareContext<Row>): Promise<unknown>;
  /** First phase: account fields, reported alone. May change `row`. */
  checkSystem?(context: CheckContext<Row>): FieldProblems;
  /** Fills in what the client may leave out, before fields are checked. May change `row`. */
  complete?(context: CheckContext<Row>): void;
  /** Whether the record may go; throws an AppError that says why not. May change other records. */
  beforeDelete?(context: { actor: Actor; tx: WriteTransaction; row: Row }): void;
}

export interface UniqueSpec {
  readonly fields: readonly string[];
  /** Only records for which this holds take part. */
  when?(row: AnyRow): boolean;
  /** Of the whole refusal. */
  readonly message?: string;
  /** Beside its fields; the general sentence where none is given. */
  readonly sentence?: string;
}

/** Who looks at a record. */
export interface Viewer {
  readonly actor: Actor;
  readonly isRealtime: boolean;
}

/** Fields of a collection by wire name. */
export type Fields = Readonly<Record<string, Field>>;

export interface CollectionSpec<T extends SQLiteTable, A extends string, F extends Fields, N extends string> {
  readonly id: string;
  readonly name: N;
  readonly table: T;
  readonly isAuth?: boolean;
  /** Each hidden unless `fields/access.ts` says otherwise; relations that leave may be expanded. */
  readonly fields: F;
  /** Problems by field of a record whose fields are fine by themselves. */
  check?(context: CheckContext<RowOf<T>>): FieldProblems;
  readonly unique?: readonly UniqueSpec[];
  readonly policy: Policy<A>;
  /** What a create may send beside the fields, for the hooks: JSON schemas by name. */
  readonly createInput?: AnyRow;
  readonly hooks?: Hooks<RowOf<T>>;
  /** Takes out what this viewer may not see. */
  present?(wire: AnyRow, row: RowOf<T>, viewer: Viewer): void;
}

/** A collection as the engine sees it. Its acts are those that its policy names. */
export interface Collection<
  T extends SQLiteTable = SQLiteTable,
  A extends string = string,
  F extends Fields = Fields,
  N extends string = string,
> {
  readonly id: string;
  readonly name: N;
  readonly table: T;
  readonly isAuth: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /** The fields as they were declared. */
  readonly shape: F;
  check?(context: CheckContext): FieldProblems;
  readonly unique: readonly UniqueSpec[];
  /** Relation fields that may be expanded. */
  readonly relations: ReadonlySet<string>;
  /** Fields that filters and sorts may name. */
  readonly search: ReadonlySet<string>;
  readonly policy: Policy<A>;
  readonly createInput: AnyRow;
  readonly hooks: Hooks;
  /** Every field that leaves, beside id, created, updated. */
  readonly output: readonly string[];
  present?(wire: AnyRow, row: AnyRow, viewer: Viewer): void;
  readonly map: TableMap;
  /** The fields of `output`, ready to be written out. */
  readonly outputFields: readonly (readonly [name: string, field: Field])[];
  /** Columns that a list reads: whatever leaves, in the order of the table. */
  readonly columns: readonly ColumnMap[];
}

const SYSTEM_FIELDS = ['id', 'created', 'updated'];

/** Declares a collection. Throws when a field has no column. */
export function defineCollection<T extends SQLiteTable, A extends string, F extends Fields, const N extends string>(
  spec: CollectionSpec<T, A, F, N>,
): Collection<T, A, F, N> {
  const map = tableMapOf(spec.table);
  const fields = new Map<string, Field>(Object.entries(spec.fields));
  for (const name of fields.keys()) {
    if (!map.byKey.has(name)) throw new Error(`${spec.name}.${name} has no column`);
  }
  if (spec.id.length !== 15) throw new Error(`${spec.name} has an id of ${spec.id.length} characters`);
  const outputFields = [...fields].filter(([, field]) => field.leaves);
  const output = outputFields.map(([name]) => name);
  const presented = spec.present ? [...fields.values()].flatMap((field) => field.visibleWhen ?? []) : [];
  const read = new Set([
    ...SYSTEM_FIELDS,
    ...output,
    ...presented,
    ...(fields.has('created_by') ? ['created_by'] : []),
  ]);
  return {
    id: spec.id,
    name: spec.name,
    table: spec.table,
    isAuth: spec.isAuth ?? false,
    fields,
    shape: spec.fields,
    check: spec.check as Collection['check'],
    unique: spec.unique ?? [],
    relations: new Set(outputFields.flatMap(([name, field]) => (field.relation ? [name] : []))),
    search: new Set([...SYSTEM_FIELDS, ...[...fields].flatMap(([name, field]) => (field.isSearchable ? [name] : []))]),
    policy: spec.policy,
    createInput: spec.createInput ?? {},
    hooks: (spec.hooks ?? {}) as Hooks,
    output,
    outputFields,
    present: spec.present as Collection['present'],
    map,
    columns: map.columns.filter(({ key }) => read.has(key)),
  };
}
