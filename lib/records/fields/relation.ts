import type { Field, FieldOptions } from './field';
import { castList, castSingle, checkCount } from './values';

export interface RelationOptions extends FieldOptions {
  min?: number;
  /** More than 1 makes it a list. */
  max?: number;
  /** Delete this record when nothing remains in the field. */
  cascadeDelete?: boolean;
}

/** Ids of records of another collection. That they exist is checked by the writer, inside its transaction. */
export function relation(collection: string, options: RelationOptions = {}): Field {
  const multiple = (options.max ?? 1) > 1;
  return {
    kind: 'relation',
    options,
    multiple,
    unset: multiple ? [] : '',
    relation: { collection, cascadeDelete: options.cascadeDelete ?? false },
    cast: multiple ? castList : castSingle,
    check: (value) =>
      Array.isArray(value) ? checkCount(value.length, { min: options.min, max: options.max }) : undefined,
  };
}
