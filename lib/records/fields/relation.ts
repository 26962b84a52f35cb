import type { Field, FieldOptions, RelationTarget } from './field';
import { castListOf, castSingle, checkCount } from './values';

export interface RelationOptions extends FieldOptions {
  min?: number;
  /** More than 1 makes it a list. */
  max?: number;
  /** Delete this record when nothing remains in the field. */
  cascadeDelete?: boolean;
}

/** A field that names records of the collection `C`. */
export interface RelationField<Value, C extends string> extends Field<Value> {
  readonly relation: RelationTarget<C>;
}

/** Ids of records of another collection. That they exist is checked by the writer, inside its transaction. */
export function relation<C extends string>(
  collection: C,
  options?: RelationOptions & { max?: undefined },
): RelationField<string, C>;
export function relation<C extends string>(
  collection: C,
  options: RelationOptions & { max: number },
): RelationField<string[], C>;
export function relation(collection: string, options: RelationOptions = {}): RelationField<unknown, string> {
  const multiple = (options.max ?? 1) > 1;
  return {
    kind: 'relation',
    options,
    multiple,
    unset: multiple ? [] : '',
    relation: { collection, cascadeDelete: options.cascadeDelete ?? false },
    cast: multiple ? castListOf(options.max!) : castSingle,
    check: (value) =>
      Array.isArray(value) ? checkCount(value.length, { min: options.min, max: options.max }) : undefined,
  };
}
