import type { Field, FieldOptions } from './field';
import { castList, castSingle, checkCount } from './values';

export interface SelectOptions extends FieldOptions {
  values: readonly string[];
  /** More than 1 makes it a list. */
  max?: number;
}

export function select(options: SelectOptions): Field {
  const multiple = (options.max ?? 1) > 1;
  return {
    kind: 'select',
    options,
    multiple,
    unset: multiple ? [] : '',
    cast: multiple ? castList : castSingle,
    check(value) {
      const chosen = Array.isArray(value) ? (value as string[]) : [value as string].filter(Boolean);
      const unknown = chosen.find((item) => !options.values.includes(item));
      if (unknown !== undefined) return { code: 'validation_invalid_value', message: `Invalid value ${unknown}.` };
      return checkCount(chosen.length, { max: options.max ?? 1 });
    },
  };
}
