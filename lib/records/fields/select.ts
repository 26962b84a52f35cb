import type { Field, FieldOptions } from './field';
import { castListOf, castSingle, checkCount } from './values';

export interface SelectOptions<V extends string = string> extends FieldOptions {
  values: readonly V[];
  /** More than 1 makes it a list. */
  max?: number;
}

export function select<const V extends string>(
  options: SelectOptions<V> & { required: true; max?: undefined },
): Field<V>;
export function select<const V extends string>(options: SelectOptions<V> & { max?: undefined }): Field<V | ''>;
export function select<const V extends string>(options: SelectOptions<V> & { max: number }): Field<V[]>;
export function select(options: SelectOptions): Field {
  const multiple = (options.max ?? 1) > 1;
  return {
    kind: 'select',
    options,
    multiple,
    unset: multiple ? [] : '',
    cast: multiple ? castListOf(options.max!) : castSingle,
    check(value) {
      const chosen = Array.isArray(value) ? (value as string[]) : [value as string].filter(Boolean);
      const unknown = chosen.find((item) => !options.values.includes(item));
      if (unknown !== undefined)
        return { code: 'validation_invalid_value', message: `Invalid value ${unknown.slice(0, 100)}.` };
      return checkCount(chosen.length, { max: options.max ?? 1 });
    },
  };
}
